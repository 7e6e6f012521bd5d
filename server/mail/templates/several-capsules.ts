import { refusal, SEE_INVITATION } from './invitation.ts';
import { layOut, type RenderedEmail } from './layout.ts';
import { oneLine, shortDay } from './plain.ts';

/** As many capsules are named; an email is not a list of hundreds. */
const NAMED_MAX = 20;

export interface SeveralCapsules {
  state: 'waiting' | 'opened' | 'unread';
  /** A single one has an email of its own, but as a reminder. `from` is "you" for the reader's own. */
  capsules: { title: string; from: string; dateToUnlock: string }[];
  url: string;
  /** For a reader without an account, whose `url` makes one. */
  refuseUrl?: string;
  /** Where it doesn't. */
  whomToAsk?: string;
  turnOffUrl?: string;
}

/** One email instead of many notices, for a person who has had enough of them for now; and reminders. */
export function severalCapsulesMail(letter: SeveralCapsules): RenderedEmail {
  const { state, capsules, url, refuseUrl, whomToAsk, turnOffUrl } = letter;
  const { length } = capsules;
  const words = length === 1 ? REMINDER : WORDS[state];
  const rest = length - NAMED_MAX;
  return layOut({
    subject: length === 1 ? REMINDER.subject : `${length} time capsules ${words.subject}`,
    preheader: words.paragraph,
    heading: words.heading,
    tone: state === 'waiting' ? 'copper' : 'verdigris',
    paragraphs: [words.paragraph],
    details: [
      ...capsules.slice(0, NAMED_MAX).map(({ title, from, dateToUnlock }) => ({
        label: shortDay(dateToUnlock),
        value: `${oneLine(title)}, from ${oneLine(from)}`,
      })),
      ...(rest > 0 ? [{ label: 'And', value: `${rest} more` }] : []),
    ],
    action: { label: whomToAsk ? SEE_INVITATION : words.action, url },
    notes: [...(whomToAsk ? [whomToAsk] : []), words.note],
    aside: refusal(refuseUrl),
    turnOffUrl,
    reason: words.reason,
  });
}

const OFTEN =
  "You're receiving one email about all of them because we've written to you often within the last hour.";

const REMINDER = {
  subject: 'A time capsule is open and unread',
  heading: 'It is still there',
  paragraph: "It opened a while ago, and you haven't looked yet.",
  action: 'Open the capsule',
  note: "It stays open, and there is no hurry. We won't remind you of it again.",
  reason:
    "You're receiving this email because this capsule is addressed to you and you haven't looked since it opened.",
};

const WORDS = {
  waiting: {
    subject: 'are waiting for you',
    heading: 'More capsules are waiting for you',
    action: 'See them',
    paragraph: 'Nobody can look inside before the day shown beside each one.',
    note: "We'll write to you again on the days they open.",
    reason: OFTEN,
  },
  opened: {
    subject: 'have opened',
    heading: 'More capsules have opened',
    action: 'See them',
    paragraph: 'Their day has come.',
    note: 'They stay open from now on. There is no hurry.',
    reason: OFTEN,
  },
  unread: {
    subject: 'are open and unread',
    heading: 'They are still there',
    action: 'See them',
    paragraph: "They opened a while ago, and you haven't looked yet.",
    note: "They stay open, and there is no hurry. We won't remind you of them again.",
    reason:
      "You're receiving this email because these capsules are addressed to you and you haven't looked since they opened.",
  },
};
