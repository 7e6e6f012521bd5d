import { signId } from '../../auth/link-signer.ts';
import { findDevice } from '../../auth/sessions.ts';
import { findAddressChange, findWaitingPassword } from '../../db/accounts/account-changes.ts';
import { addressesOf } from '../../db/accounts/addresses.ts';
import { findDeletion, goneAt } from '../../db/capsules/bin.ts';
import { findIdentityById } from '../../db/doors/identities.ts';
import { findPasskey } from '../../db/doors/passkeys.ts';
import { type EmailPerson, findTimeZone } from '../../db/email-content/subjects.ts';
import type { EmailKind } from '../../mail/kinds.ts';
import type { RenderedEmail } from '../../mail/templates/layout.ts';
import { moment } from '../../mail/templates/plain.ts';
import * as words from '../../mail/templates/security.ts';
import { whatChanged, whatChangedFor } from '../accounts/address-words.ts';
import { whomToWrite } from '../accounts/contact.ts';
import { issueAddressLink } from '../accounts/link-tokens.ts';
import { findOthers } from '../accounts/new-password.ts';
import { asksForPasskey } from '../accounts/passkey-choice.ts';
import { undoableUntil } from '../doors/undo-key.ts';
import { type ContentDeps, link, type Outgoing, secretLink } from './links.ts';

interface About {
  deps: ContentDeps;
  row: Outgoing;
  person: EmailPerson;
  /** A moment as this person reads it. @param elsewhere where theirs is not known */
  when: (at: Date, elsewhere?: string) => string;
}

/** What it says, and where it leads. */
type Told = [what: words.SecurityWords, links: words.SecurityLinks] | null;

const setPassword = (deps: ContentDeps) => ({ url: link(deps, '/auth/forgot-password') });
const getHelp = (deps: ContentDeps) => ({ url: link(deps, '/help') });
/** Beside a button that undoes something. */
const andSetPassword = (deps: ContentDeps) => ({
  aside: { label: 'Set a new password', ...setPassword(deps) },
});

/** Null if there is nothing to tell any more. */
const TELLERS = {
  'password-changed': async ({ deps, row, person, when }) => [
    words.passwordChanged(when(row.createdAt), !addressesOf(person).includes(row.address)),
    setPassword(deps),
  ],
  'password-guessed': async ({ deps, row, when }) => [
    words.passwordGuessed(when(row.createdAt)),
    setPassword(deps),
  ],
  // A thief may have signed out again: it is told all the same, without the device.
  'new-device': async ({ deps, row, person, when }) => {
    const session = row.aboutId && { userId: person.id, publicId: row.aboutId };
    const device = session ? await findDevice(deps.db, session) : null;
    const aside = { label: "See where you're signed in", url: link(deps, '/profile/sign-in') };
    return [words.newDevice(when(row.createdAt), device ?? null), { ...setPassword(deps), aside }];
  },
  'passkey-added': async ({ deps, row, when }) => {
    const passkey = row.aboutId && (await findPasskey(deps.db, row.aboutId));
    if (!passkey) return null;
    const token = await signId(deps, 'undo passkey', passkey.id);
    const url = secretLink(deps, '/auth/undo-passkey', { token });
    return [
      words.passkeyAdded(when(passkey.createdAt), passkey.name),
      { url, until: when(undoableUntil(passkey)), ...andSetPassword(deps) },
    ];
  },
  // Nor is it told where the site has no provider any more.
  'identity-linked': async ({ deps, row, when }) => {
    const provider = deps.config.identityProvider;
    const identity = row.aboutId && (await findIdentityById(deps.db, row.aboutId));
    if (!provider || !identity) return null;
    const token = await signId(deps, 'undo identity', identity.id);
    const url = secretLink(deps, '/auth/undo-identity', { token });
    return [
      words.identityLinked(when(identity.createdAt), provider.name),
      { url, until: when(undoableUntil(identity)), ...andSetPassword(deps) },
    ];
  },
  // Says how it stands as the email is sent.
  'passkey-choice': async ({ deps, row, person, when }) => [
    words.passkeyChoice(when(row.createdAt), await asksForPasskey(deps.db, deps, person)),
    setPassword(deps),
  ],
  'address-changed': tellAddressChanged,
  'change-undone': async ({ deps, row, person, when }) => {
    const asked = await findOthers(deps.db, person, person.email, deps.clock.now());
    const isAsked = asked.includes(row.address);
    return [words.changeUndone(when(row.createdAt), isAsked, whomToWrite(deps)), getHelp(deps)];
  },
  'password-waiting': tellPasswordWaiting,
  // Neither once the capsule is back, nor once it was deleted for good with the password.
  'capsule-deleted': async ({ deps, row, when }) => {
    const now = deps.clock.now();
    if (!row.aboutId) return null;
    const deletion = await findDeletion(deps.db, { id: row.aboutId, now });
    if (!deletion) return null;
    const { title, deletedAt, timeZone } = deletion;
    const token = await signId(deps, 'restore', row.aboutId);
    const url = secretLink(deps, '/auth/restore-capsule', { token });
    return [
      words.capsuleDeleted(title, when(deletedAt, timeZone)),
      { url, until: when(goneAt(deletedAt), timeZone), ...andSetPassword(deps) },
    ];
  },
  'deletion-announced': async ({ deps, person, when }) => {
    const { deletionDueAt, deletionCapsules } = person;
    if (!deletionDueAt) return null;
    const isDelivered = deletionCapsules === 'deliver';
    const canSignIn = person.suspendedAt === null;
    return [
      words.deletionAnnounced(when(deletionDueAt), {
        isDelivered,
        canSignIn,
        whom: whomToWrite(deps),
      }),
      canSignIn ? { url: link(deps, '/profile/safety') } : getHelp(deps),
    ];
  },
} satisfies Partial<Record<EmailKind, (about: About) => Promise<Told>>>;

export type SecurityKind = keyof typeof TELLERS;

export const isAboutSecurity = (kind: EmailKind): kind is SecurityKind => kind in TELLERS;

/** Renders a warning from the data of the moment. Null if there is nobody or nothing to tell any more. */
export async function renderSecurity(
  deps: ContentDeps,
  row: Outgoing,
  person: EmailPerson | undefined,
): Promise<RenderedEmail | null> {
  if (!person || !isAboutSecurity(row.kind)) return null;
  const zone = await findTimeZone(deps.db, person.id);
  const when: About['when'] = (at, elsewhere) => moment(at, zone ?? elsewhere ?? null);
  const told: Told = await TELLERS[row.kind]({ deps, row, person, when });
  return told && words.securityMail(person.name, ...told);
}

/** To every address of before. What an operator changes is told before it takes effect. */
async function tellAddressChanged({ deps, row, person, when }: About): Promise<Told> {
  const change = row.aboutId && (await findAddressChange(deps.db, row.aboutId));
  if (!change || change.undoneAt) return null;
  const { id: subjectId, userId, takesEffectAt, objectionUntil } = change;
  const expiresAt = objectionUntil ?? takesEffectAt;
  const isInTime = expiresAt > deps.clock.now();
  let links: words.SecurityLinks = getHelp(deps);
  if (isInTime) {
    const undo = { subjectId, userId, purpose: 'undo', expiresAt } as const;
    const token = await issueAddressLink(deps.db, deps, undo);
    links = { url: secretLink(deps, '/auth/undo-email', { token }), until: when(expiresAt) };
  }
  const what = [whatChanged(change), whatChangedFor(change, person.email)] as const;
  if (!objectionUntil)
    return isInTime ? [words.addressToChange(...what, when(expiresAt)), links] : null;
  const told = [...what, when(takesEffectAt), isInTime, whomToWrite(deps)] as const;
  return [words.addressChanged(...told, !deps.config.passwordSignIn), links];
}

/** Null once the password has taken effect or was stopped, or if this address is not asked any more. */
async function tellPasswordWaiting({ deps, row, person, when }: About): Promise<Told> {
  const waiting = await findWaitingPassword(deps.db, person.id);
  const now = deps.clock.now();
  if (!waiting?.sentTo || waiting.takesEffectAt <= now) return null;
  const { id: subjectId, createdAt, takesEffectAt: expiresAt } = waiting;
  const told = [when(createdAt), when(expiresAt)] as const;
  if (row.address === waiting.sentTo && (await asksForPasskey(deps.db, deps, person))) {
    return [words.passwordWaitingHere(...told), { url: link(deps, '/auth') }];
  }
  // Meanwhile this address may have set a password itself, or have left the account.
  const asked = await findOthers(deps.db, person, waiting.sentTo, now);
  if (!asked.includes(row.address)) return null;
  const answer = { subjectId, userId: person.id, purpose: 'answer-password', expiresAt } as const;
  const token = await issueAddressLink(deps.db, deps, answer);
  const url = secretLink(deps, '/auth/new-password', { token });
  return [words.passwordWaiting(...told), { url, until: when(expiresAt) }];
}
