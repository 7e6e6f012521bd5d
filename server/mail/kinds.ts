/**
 * What each kind of email is. What depends on a kind asks this table, where it isn't true of a single
 * kind only. `domain/email-content` renders the texts.
 */
interface KindFacts {
  /** Which go first: 0, somebody waits for it; 1, a capsule has opened; 2, it can wait for a while. */
  urgency: 0 | 1 | 2;
  /**
   * `person`: wherever they are reached when it is sent, and once more to their second address if it
   * comes back. `address`: there only, because it is about that address, or a warning. Each address
   * gets its own warning: whoever has taken over an account must not get those of the owner.
   */
  goesTo: 'person' | 'address';
  /** Whether it also goes to people who are only invited. */
  mayGoToInvited: boolean;
  /** Whether people can turn it off. A link in the email does. */
  comes: 'always' | 'unless-turned-off';
  /** It tells about capsules, once about each. */
  isAboutCapsules: boolean;
  /** So many of a kind about capsules one person gets singly in an hour. What is beyond that is told together. */
  singlyAnHour: number;
  /** The creator of a capsule causes it and sees what became of it. */
  isSeenByCreator: boolean;
  /** The link of each attempt ends the one before, so that a provider must not repeat an earlier text. */
  textVaries: boolean;
}

/** Somebody waits for it, or has to know. */
const URGENT = {
  urgency: 0,
  goesTo: 'address',
  mayGoToInvited: false,
  comes: 'always',
  isAboutCapsules: false,
  singlyAnHour: 0,
  isSeenByCreator: false,
  textVaries: false,
} as const satisfies KindFacts;

/** News that a person can do without. */
const NEWS = {
  ...URGENT,
  urgency: 2,
  goesTo: 'person',
  comes: 'unless-turned-off',
} as const satisfies KindFacts;

const ABOUT_CAPSULES = {
  ...NEWS,
  isAboutCapsules: true,
  singlyAnHour: 10,
} as const satisfies KindFacts;

export const EMAIL_KINDS = {
  // Also to who is invited, where somebody has registered with their address.
  'verify-email': { ...URGENT, mayGoToInvited: true, textVaries: true },
  // Also to who is invited: where no account is found, it is answered with a link to make one.
  'password-reset': { ...URGENT, mayGoToInvited: true, textVaries: true },
  'password-changed': URGENT,
  'password-guessed': URGENT,
  'new-device': URGENT,
  'passkey-added': URGENT,
  'passkey-choice': URGENT,
  'identity-linked': URGENT,
  // Links of earlier attempts keep working, so that the provider may repeat one of their texts.
  invitation: { ...URGENT, mayGoToInvited: true },
  'capsule-waiting': { ...ABOUT_CAPSULES, isSeenByCreator: true },
  'capsule-opened': { ...ABOUT_CAPSULES, urgency: 1, mayGoToInvited: true, isSeenByCreator: true },
  'capsule-reminder': { ...ABOUT_CAPSULES, singlyAnHour: 0 },
  'address-check': NEWS,
  // Once for each who adds, by a link that its reader can turn off.
  'contribution-added': { ...NEWS, comes: 'always' },
  // Links of earlier attempts keep working in these as well.
  'confirm-address': URGENT,
  'address-changed': URGENT,
  'change-undone': URGENT,
  'password-waiting': URGENT,
  'account-deleted': URGENT,
  'deletion-announced': URGENT,
  'capsule-deleted': URGENT,
  // To the operator, about what somebody reports.
  report: URGENT,
  // To the operator, about all those that have had no email of their own.
  'reports-together': URGENT,
  'report-answered': URGENT,
} as const satisfies Record<string, KindFacts>;

export type EmailKind = keyof typeof EMAIL_KINDS;

/** The kinds of which all these facts are true. */
export type KindsWith<Facts extends Partial<KindFacts>> = {
  [Kind in EmailKind]: (typeof EMAIL_KINDS)[Kind] extends Facts ? Kind : never;
}[EmailKind];

/** The kinds that carry notices. */
export type CapsuleKind = KindsWith<{ isAboutCapsules: true }>;

export const KIND_NAMES = Object.keys(EMAIL_KINDS) as [EmailKind, ...EmailKind[]];

/** The kinds of which all these facts are true, in the order of the table. */
export function kindsWith<const Facts extends Partial<KindFacts>>(
  facts: Facts,
): KindsWith<Facts>[] {
  const wanted = Object.entries(facts);
  return KIND_NAMES.filter((kind): kind is KindsWith<Facts> => {
    const known: Record<string, unknown> = EMAIL_KINDS[kind];
    return wanted.every(([fact, value]) => known[fact] === value);
  });
}
