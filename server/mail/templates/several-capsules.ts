import { refusal, SEE_INVITATION } from './invitation.ts';
import { layOut, type RenderedEmail } from './layout.ts';
import { oneLine, shortDay } from './plain.ts';

/** As many capsules are named; an email is not a list of hundreds. */
const NAMED_MAX = 20;

export interface SeveralCapsules {
  state: 'waiting' | 'opened' | 'unread';
  /** At least two: a single one has an email of its own. `from` is "you" for the reader's own. */
  capsules: { title: string; from: string; dateToUnlock: string }[];
  url: string;
  /** For a reader without an account, whose `url` makes one. */
  refuseUrl?: string;
  /** Where it doesn't. */
  whomToAsk?: string;
  turnOffUrl?: string;
}

/** One email instead of many notices, for a person who has had enough of them for now. */
export function severalCapsulesMail(letter: SeveralCapsules): RenderedEmail {
  const { state, capsules, url, refuseUrl, whomToAsk, turnOffUrl } = letter;
  const { length } = capsules;
  const words = WORDS[state];
  const rest = length - NAMED_MAX;
  return layOut({
    subject: `${length} time capsules ${words.subject}`,
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
    action: { label: whomToAsk ? SEE_INVITATION : 'See them', url },
    notes: [...(whomToAsk ? [whomToAsk] : []), words.note],
    aside: refusal(refuseUrl),
    turnOffUrl,
    reason: words.reason,
  });
}

const OFTEN =
  "You're receiving one email about all of them because we've written to you often within the last hour.";

const WORDS = {
  waiting: {
    subject: 'are waiting for you',
    heading: 'More capsules are waiting for you',
    paragraph: 'Nobody can look inside before the day shown beside each one.',
    note: "We'll write to you again on the days they open.",
    reason: OFTEN,
  },
  opened: {
    subject: 'have opened',
    heading: 'More capsules have opened',
    paragraph: 'Their day has come.',
    note: 'They stay open from now on. There is no hurry.',
    reason: OFTEN,
  },
  unread: {
    subject: 'are open and unread',
    heading: 'They are still there',
    paragraph: "They opened a while ago, and you haven't looked yet.",
    note: "They stay open, and there is no hurry. We won't remind you of them again.",
    reason:
      "You're receiving this email because these capsules are addressed to you and you haven't looked since they opened.",
  },
};
