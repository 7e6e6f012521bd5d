import { refusal, SEE_INVITATION } from './invitation.ts';
import { layOut, type RenderedEmail } from './layout.ts';
import { greet, longDay, nameInSubject, namesText, oneLine, SOMEONE } from './plain.ts';

export interface CapsuleOpened {
  title: string;
  creatorName: string;
  /** Of a recipient as the creator calls them. */
  readerName: string;
  /** What the reader has to do with it; `self` is creator and recipient in one. */
  reader: 'recipient' | 'creator' | 'self';
  recipientNames: string[];
  /** Those whom the creator has invited and who have no account yet. */
  withoutAccount?: string[];
  dateToUnlock: string;
  url: string;
  /** For a reader without an account, whose `url` makes one. */
  refuseUrl?: string;
  /** Where it doesn't. */
  whomToAsk?: string;
  turnOffUrl?: string;
}

export function capsuleOpenedMail(capsule: CapsuleOpened): RenderedEmail {
  const title = oneLine(capsule.title);
  const creator = oneLine(capsule.creatorName);
  const words = wordsFor(capsule, creator);
  return layOut({
    // Without the title: a stranger's words in a subject would be advertising with our name on it.
    subject: words.subject,
    preheader: 'Its day has come.',
    heading: 'It has opened',
    tone: 'verdigris',
    paragraphs: [`${greet('Hello', capsule.readerName)},`, words.paragraph],
    details: [
      { label: 'Title', value: title },
      capsule.reader === 'recipient'
        ? { label: 'From', value: creator }
        : { label: 'To', value: namesText(capsule.recipientNames) },
      { label: 'Opened on', value: longDay(capsule.dateToUnlock) },
    ],
    action: { label: capsule.whomToAsk ? SEE_INVITATION : 'Open the capsule', url: capsule.url },
    notes: [
      ...(capsule.refuseUrl === undefined
        ? []
        : [capsule.whomToAsk ?? "Choose a name and a password, and it's yours to read."]),
      'It stays open from now on. There is no hurry.',
    ],
    aside: refusal(capsule.refuseUrl),
    turnOffUrl: capsule.turnOffUrl,
    reason: words.reason,
  });
}

function opensFor(reader: string, creator: string): string {
  const news = `${creator}'s time capsule for you is open`;
  return reader === SOMEONE ? news : `${reader}, ${news}`;
}

function wordsFor(
  { reader, readerName, creatorName, recipientNames, withoutAccount = [] }: CapsuleOpened,
  creator: string,
) {
  if (reader === 'recipient') {
    return {
      subject: opensFor(nameInSubject(readerName), nameInSubject(creatorName)),
      paragraph: `The day has come. The time capsule that ${creator} sealed for you is open.`,
      reason: `You're receiving this email because ${creator} addressed it to you.`,
    };
  }
  const isSelf = reader === 'self';
  const forYourself = isSelf && recipientNames.length === 1 ? ' for yourself' : '';
  const later =
    withoutAccount.length === 0
      ? ''
      : ` ${namesText(withoutAccount)} can read it once they have an account.`;
  return {
    subject: 'Your time capsule has opened',
    paragraph: `The day has come. The time capsule you sealed${forYourself} is open.${later}`,
    reason: `You're receiving this email because you sealed this capsule${isSelf ? ' and are one of its recipients' : ''}.`,
  };
}
