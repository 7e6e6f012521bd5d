import { refusal } from './invitation.ts';
import { layOut, type RenderedEmail } from './layout.ts';
import { oneLine, shortDay } from './plain.ts';

/** As many capsules are named; an email is not a list of hundreds. */
const NAMED_MAX = 20;

export interface SeveralCapsules {
  state: 'waiting' | 'opened' | 'unread';
  /** At least one. `from` is "you" for the reader's own. */
  capsules: { title: string; from: string; dateToUnlock: string }[];
  url: string;
  /** For a reader without an account, whose `url` makes one. */
  refuseUrl?: string;
  turnOffUrl?: string;
}

/** One email instead of many notices, for a person who has had enough of them for now. */
export function severalCapsulesMail(letter: SeveralCapsules): RenderedEmail {
  const { state, capsules, url, refuseUrl, turnOffUrl } = letter;
  const { length } = capsules;
  const words = WORDS[state][length === 1 ? 'one' : 'many'];
  const rest = length - NAMED_MAX;
  return layOut({
    subject: `${length === 1 ? 'A time capsule' : `${length} time capsules`} ${words.subject}`,
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
    action: { label: length === 1 ? 'See it' : 'See them', url },
    notes: [words.note],
    aside: refusal(refuseUrl),
    turnOffUrl,
    reason: words.reason,
  });
}

const OFTEN =
  "You're receiving one email about all of them because we've written to you often within the last hour.";
const SHORT = "We've written to you often within the last hour, so this email is short.";

const WORDS = {
  waiting: {
    one: {
      subject: 'is waiting for you',
      heading: 'Another capsule is waiting for you',
      paragraph: 'Nobody can look inside until its day.',
      note: "We'll write to you again on the day it opens.",
      reason: SHORT,
    },
    many: {
      subject: 'are waiting for you',
      heading: 'More capsules are waiting for you',
      paragraph: 'Nobody can look inside before the day shown beside each one.',
      note: "We'll write to you again on the days they open.",
      reason: OFTEN,
    },
  },
  opened: {
    one: {
      subject: 'has opened',
      heading: 'Another capsule has opened',
      paragraph: 'Its day has come.',
      note: 'It stays open from now on. There is no hurry.',
      reason: SHORT,
    },
    many: {
      subject: 'have opened',
      heading: 'More capsules have opened',
      paragraph: 'Their day has come.',
      note: 'They stay open from now on. There is no hurry.',
      reason: OFTEN,
    },
  },
  unread: {
    one: {
      subject: 'is open and unread',
      heading: 'It is still there',
      paragraph: "It opened a while ago, and you haven't looked yet.",
      note: "It stays open, and there is no hurry. We won't remind you of it again.",
      reason:
        "You're receiving this email because this capsule is addressed to you and you haven't looked since it opened.",
    },
    many: {
      subject: 'are open and unread',
      heading: 'They are still there',
      paragraph: "They opened a while ago, and you haven't looked yet.",
      note: "They stay open, and there is no hurry. We won't remind you of them again.",
      reason:
        "You're receiving this email because these capsules are addressed to you and you haven't looked since they opened.",
    },
  },
};
