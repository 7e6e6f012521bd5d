import { REPORT_TEXTS_MAX } from '../../../shared/limits.ts';
import { layOut, type RenderedEmail, type ToPerson } from './layout.ts';
import { greet, longDay, moment, oneLine, oneLineUpTo } from './plain.ts';

interface Named {
  id: string;
  name: string;
  email: string;
}

/** The reporter can't see it any more. */
interface UnseenCapsule {
  id: string;
  isUnseen: true;
}

interface ReportedCapsule {
  id: string;
  isUnseen?: undefined;
  title: string;
  description: string;
  dateToUnlock: string;
  /** Who wrote what is reported, where that was added by somebody without an account. */
  addedBy: string | null;
  /** Null while it is sealed. */
  inside: { message: string; files: string[] } | null;
}

/** Enough to judge it by. */
const TEXT_MAX = 2_000;
const FILES_MAX = 20;

const named = ({ id, name, email }: Named) => `${oneLine(name)} <${email}>, ${id}`;

interface ToldReport {
  id: string;
  /** In words. */
  reason: string;
  text: string;
  reportedAt: Date;
  /** Null if they have left. */
  reporter: Named | null;
  /** Who is reported, or who sealed the capsule. Null if they have left. */
  person: Named | null;
  /** It is about what somebody without an account has added to a capsule. */
  isOfPart?: boolean;
  /** Null where it is about a person. */
  capsule: ReportedCapsule | UnseenCapsule | null;
}

/** What the operator reads of a report: what the reporter says, and what the reporter may see. */
export function reportDetails({ id, reason, text, reporter, person, capsule }: ToldReport) {
  const who = (one: Named | null) => (one ? named(one) : 'Somebody who has left');
  return [
    { label: 'Report', value: id },
    { label: 'Reason', value: reason },
    { label: 'In their words', value: text === '' ? '–' : oneLineUpTo(REPORT_TEXTS_MAX, text) },
    { label: 'Reported by', value: who(reporter) },
    { label: capsule ? 'Sealed by' : 'Reported', value: who(person) },
    ...(capsule ? aboutCapsule(capsule) : []),
  ];
}

/** What the operator can do about a report, by `npm run admin`. */
export function whatToDo({ id, person, isOfPart }: Pick<ToldReport, 'id' | 'person' | 'isOfPart'>) {
  // Who has sealed a capsule has not written what others added to it.
  const suspend = person && !isOfPart;
  return [
    ...(suspend ? [`Keep them out: npm run admin -- suspend ${person.id} --reason "why"`] : []),
    `${suspend ? 'Then answer' : 'Answer'}: npm run admin -- resolve ${id} --note "what you did"`,
  ];
}

/** To the operator. */
export function reportMail(input: ToldReport & { reporter: Named; url: string }): RenderedEmail {
  const { reason, reporter, capsule } = input;
  const what = capsule ? 'A capsule' : 'A person';
  return layOut({
    subject: `${what} was reported: ${reason}`,
    preheader: 'Somebody who uses this site asks you to look at it.',
    heading: `${what} was reported`,
    paragraphs: [
      `${oneLine(reporter.name)} reported this on ${moment(input.reportedAt, null)}. You see what they can see, and nothing else.`,
    ],
    details: reportDetails(input),
    action: { label: 'Open the site', url: input.url },
    notes: [...whatToDo(input), 'Whoever reported it then gets a short email, without your note.'],
    reason:
      "You're receiving this email because your address is this site's contact (SITE_CONTACT).",
  });
}

const LISTED_MAX = 50;
const WORDS_MAX = 200;

/** To the operator, where there are too many for an email each. */
export function reportsTogetherMail(input: {
  reports: {
    id: string;
    reason: string;
    text: string;
    createdAt: Date;
    person: Named | null;
  }[];
  url: string;
}): RenderedEmail {
  const { reports, url } = input;
  const more = reports.length - LISTED_MAX;
  const subject = reports.length === 1 ? 'Another report' : `${reports.length} more reports`;
  return layOut({
    subject,
    preheader: 'Today there were too many reports for an email each.',
    heading: subject,
    paragraphs: [
      "There were too many reports today to send you each by an email of its own. Where somebody may be in danger, it's listed first.",
    ],
    details: reports.slice(0, LISTED_MAX).map(({ id, reason, text, createdAt, person }) => ({
      label: reason,
      value: [
        `${moment(createdAt, null)}, about ${person ? named(person) : 'somebody who has left'}`,
        text === '' ? '–' : oneLineUpTo(WORDS_MAX, text),
        `report ${id}`,
      ].join('; '),
    })),
    action: { label: 'Open the site', url },
    notes: [
      `${more > 0 ? `There are ${more} more. ` : ''}To read all of them, run: npm run admin -- reports`,
    ],
    reason:
      "You're receiving this email because your address is this site's contact (SITE_CONTACT).",
  });
}

function aboutCapsule(capsule: ReportedCapsule | UnseenCapsule) {
  if (capsule.isUnseen) {
    return [{ label: 'Capsule', value: `${capsule.id}, which the reporter can't see any more` }];
  }
  const { id, title, description, dateToUnlock, addedBy, inside } = capsule;
  const outside = [
    { label: 'Capsule', value: id },
    { label: 'Title', value: oneLine(title) },
    { label: 'Description', value: oneLineUpTo(TEXT_MAX, description) },
    { label: inside ? 'Opened' : 'Opens', value: longDay(dateToUnlock) },
    ...(addedBy === null
      ? []
      : [{ label: 'Added to it by', value: `${oneLine(addedBy)}, without an account` }]),
  ];
  if (!inside) return [...outside, { label: 'Message and files', value: 'sealed until then' }];
  const more = inside.files.length - FILES_MAX;
  const files = [
    ...inside.files.slice(0, FILES_MAX).map((name) => oneLine(name)),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
  return [
    ...outside,
    { label: 'Message', value: oneLineUpTo(TEXT_MAX, inside.message) || '–' },
    { label: 'Files', value: files.join(', ') || '–' },
  ];
}

/** To who has reported something. It says neither what nor whom: others may read it over a shoulder. */
export function reportAnsweredMail(
  input: ToPerson & {
    reportedAt: Date;
    /** Where they can ask; null where the site has no contact. */
    contact: string | null;
  },
): RenderedEmail {
  const { contact } = input;
  return layOut({
    subject: 'Your report has been looked at',
    preheader: 'Thank you for telling us.',
    tone: 'verdigris',
    paragraphs: [
      `${greet('Hello', input.name)},`,
      `Whoever runs this site has looked at what you reported on ${moment(input.reportedAt, input.zone)}, and decided what to do. Thank you for telling us.`,
    ],
    action: { label: 'Go to your capsules', url: input.url },
    notes: contact
      ? [`If you'd like to know more, or don't agree, write to ${contact}.`]
      : ["If it hasn't stopped, you can report it again."],
    reason: "You're receiving this email because you reported something.",
  });
}
