import { refusal } from './invitation.ts';
import { type RenderedMail, renderLetter } from './letter.ts';
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
export function severalCapsulesMail(letter: SeveralCapsules): RenderedMail {
  const { state, capsules, url, refuseUrl, turnOffUrl } = letter;
  const { length } = capsules;
  const subject = length === 1 ? 'A time capsule' : `${length} time capsules`;
  const rest = length - NAMED_MAX;
  return renderLetter({
    subject: `${subject} ${WORDS[state][length === 1 ? 'one' : 'many']}`,
    preheader: WORDS[state].paragraph,
    heading: WORDS[state].heading,
    tone: state === 'waiting' ? 'copper' : 'verdigris',
    paragraphs: [WORDS[state].paragraph],
    details: [
      ...capsules.slice(0, NAMED_MAX).map(({ title, from, dateToUnlock }) => ({
        label: shortDay(dateToUnlock),
        value: `${oneLine(title)}, from ${oneLine(from)}`,
      })),
      ...(rest > 0 ? [{ label: 'And', value: `${rest} more` }] : []),
    ],
    action: { label: 'See them', url },
    notes: [WORDS[state].note],
    aside: refusal(refuseUrl),
    turnOffUrl,
    reason: WORDS[state].reason,
  });
}

const OFTEN =
  "You're receiving one email about all of them because we've written to you often within the last hour.";

const WORDS = {
  waiting: {
    one: 'is waiting for you',
    many: 'are waiting for you',
    heading: 'More capsules are waiting for you',
    paragraph: 'Nobody can look inside until the day that stands beside each of them.',
    note: "We'll write to you again on the days they open.",
    reason: OFTEN,
  },
  opened: {
    one: 'has opened',
    many: 'have opened',
    heading: 'More capsules have opened',
    paragraph: 'Their day has come.',
    note: 'They stay open from now on. There is no hurry.',
    reason: OFTEN,
  },
  unread: {
    one: 'is open and unread',
    many: 'are open and unread',
    heading: 'They are still there',
    paragraph: "They opened a month ago, and you haven't looked yet.",
    note: "They stay open, and there is no hurry. We won't remind you of them again.",
    reason: "You're receiving this email because they are addressed to you.",
  },
};
