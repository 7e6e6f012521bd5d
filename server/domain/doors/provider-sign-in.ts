import { z } from 'zod';
import { nameField, newEmailField } from '../../../shared/api/fields.ts';
import { dayAt } from '../../../shared/day.ts';
import { MINUTE_MS, NAME_MAX } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import {
  type ProviderAnswer,
  type ProviderProfile,
  readAnswer,
  signInUrl,
} from '../../auth/identity-provider.ts';
import { newState, type OidcState, readState } from '../../auth/oidc-state.ts';
import { browserOf } from '../../auth/passkey-challenge.ts';
import { later } from '../../clock/clock.ts';
import { isReserved } from '../../db/accounts/addresses.ts';
import {
  lockInvited,
  nameFromAddress,
  spendInvitationLinks,
} from '../../db/accounts/invitations.ts';
import {
  addAccount,
  ENDED_PASSWORD,
  findPasswordHash,
  findUserById,
  type UserRow,
  updateUser,
} from '../../db/accounts/users.ts';
import {
  findIdentity,
  findIdentityOf,
  type IdentityRow,
  insertIdentity,
  noteIdentityUse,
  setConfirmed,
} from '../../db/doors/identities.ts';
import { takeChallenge } from '../../db/doors/passkeys.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { emailTaken } from '../accounts/address-changes.ts';
import { checkInvitation, takeInvitation } from '../accounts/invitations.ts';
import { confirmMain } from '../accounts/new-password.ts';
import { checkRegistration } from '../accounts/registration.ts';
import {
  checkNotSuspended,
  mustConfirm,
  type SignedIn,
  startSession,
} from '../accounts/start-session.ts';
import { queueEmails } from '../emails/queue.ts';
import type { Asker } from './passkey-sign-in.ts';
import { hasPassword } from './ways-in.ts';

type StartDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'log'>;

/** How long the provider's word counts in place of a password. */
const CONFIRMED_MS = 5 * MINUTE_MS;

/**
 * Begins a journey to the identity provider. @returns where the browser goes, and the cookie it keeps
 * meanwhile @throws NOT_FOUND where there is no provider; PROVIDER_AWAY, PROVIDER_REFUSED
 */
export async function goToProvider(
  deps: StartDeps,
  asker: Asker,
  about: Pick<OidcState, 'purpose'> & Partial<Pick<OidcState, 'invitation' | 'page'>>,
): Promise<{ url: string; cookie: string }> {
  const { state, secrets, cookie } = await newState(deps, { ...about, browser: browserOf(asker) });
  return { url: await signInUrl(deps, { state, secrets }), cookie };
}

/** Somebody who has come back from the provider. */
export interface Returned {
  purpose: OidcState['purpose'];
  page: string | undefined;
  invitation: string | undefined;
  answer: ProviderAnswer;
}

export type Journey = NonNullable<Awaited<ReturnType<typeof readState>>>;

/**
 * The journey that a browser comes back from. Nothing of it is believed yet: it says where a failure is
 * told. @param search of the address that the provider has sent the browser to
 */
export function findJourney(
  deps: Pick<Deps, 'db' | 'clock' | 'ids'>,
  { cookie, search }: { cookie: string; search: string },
): Promise<Journey | null> {
  return readState(deps, { cookie, id: new URLSearchParams(search).get('state') });
}

/**
 * Ends a journey, once on all servers. @throws PROVIDER_EXPIRED for one that is not of this browser, used
 * or too old; PROVIDER_AWAY, PROVIDER_REFUSED
 */
export async function comeBack(
  deps: StartDeps,
  asker: Asker,
  { journey, search }: { journey: Journey | null; search: string },
): Promise<Returned> {
  if (!journey || journey.state.browser !== browserOf(asker)) throw expired();
  const { state } = journey;
  const challenge = { id: state.id, expiresAt: new Date(state.expires) };
  if (!(await takeChallenge(deps.db, challenge))) throw expired();
  const { purpose, page, invitation } = state;
  return { purpose, page, invitation, answer: await readAnswer(deps, journey, search) };
}

type EnterDeps = StartDeps & Pick<Deps, 'sessions' | 'mailQueued'>;

/** A session, or an account whose address has to be confirmed first. */
type Entered = SignedIn | { isNew: boolean; unconfirmed: string };

/**
 * Signs in whom the provider has named, by issuer and subject alone. Somebody unknown gets an account,
 * where that is allowed. An address that has an account is refused: whoever has it signs in there and
 * links.
 * @throws ACCOUNT_SUSPENDED; EMAIL_TAKEN, REGISTRATION_CLOSED, INVALID_INVITATION,
 * PROVIDER_NAMES_NOBODY, IDENTITY_TAKEN
 */
export async function enterByProvider(
  deps: EnterDeps,
  { answer, invitation }: Pick<Returned, 'answer' | 'invitation'>,
  device: string,
): Promise<Entered> {
  const known = await findIdentity(deps.db, answer);
  const user = known && (await findUserById(deps.db, known.userId));
  const isWaiting = user && mustConfirm(deps, user);
  if (user && !(isWaiting && invitation)) {
    return { ...(await signIn(deps, { identity: known, user, device })), isNew: false };
  }
  const newcomer = { answer, profile: await answer.profile() };
  const identity = invitation
    ? await joinByInvitation(deps, newcomer, invitation)
    : await register(deps, newcomer);
  deps.mailQueued();
  const made = await findUserById(deps.db, identity.userId);
  if (!made) throw new AppError('PROVIDER_REFUSED');
  return { ...(await signIn(deps, { identity, user: made, device })), isNew: true };
}

async function signIn(
  deps: EnterDeps,
  { identity, user, device }: { identity: IdentityRow; user: UserRow; device: string },
) {
  checkNotSuspended(deps, user);
  if (mustConfirm(deps, user)) return { unconfirmed: user.email };
  const day = dayAt(deps.clock.now(), 'UTC');
  const facts = { device, signedInBy: 'provider' as const };
  return startSession(deps, { user, refusal: 'PROVIDER_REFUSED', ...facts }, async (tx) => {
    const isLinked = await noteIdentityUse(tx, { id: identity.id, day });
    if (!isLinked) throw new AppError('PROVIDER_REFUSED');
  });
}

interface Newcomer {
  answer: ProviderAnswer;
  profile: ProviderProfile;
}

async function joinByInvitation(
  deps: EnterDeps,
  { answer, profile }: Newcomer,
  invitation: string,
): Promise<IdentityRow> {
  const { userId: invitedId, email } = await checkInvitation(deps, invitation);
  return deps.db.transaction(async (tx) => {
    const taken = await takeInvitation(tx, deps, {
      ...{ invitation, invitedId, passwordHash: ENDED_PASSWORD, name: nameOf(profile, email) },
      isProven: profile.isVerified && addressOf(profile) === email,
    });
    return link(tx, deps, answer, taken);
  });
}

async function register(deps: EnterDeps, { answer, profile }: Newcomer): Promise<IdentityRow> {
  const email = addressOf(profile);
  if (!email) throw new AppError('PROVIDER_NAMES_NOBODY');
  const createdAt = deps.clock.now();
  const row = { id: deps.ids.uuid(), email, name: nameOf(profile, email), createdAt };
  const { isVerified: isProven } = profile;
  return deps.db.transaction(async (tx) => {
    const userId = isProven
      ? await registerVerified(tx, deps, row)
      : await registerUnverified(tx, deps, row);
    // Checked after the insert: somebody may be leaving the address in this moment, and can still
    // take it back.
    if (await isReserved(tx, email, createdAt)) throw emailTaken();
    return link(tx, deps, answer, { userId, isProven });
  });
}

/** Lets somebody at the provider sign in to an account that has no password. @throws IDENTITY_TAKEN */
async function link(
  tx: Queryable,
  deps: EnterDeps,
  { issuer, subject }: ProviderAnswer,
  { userId, isProven }: { userId: string; isProven: boolean },
): Promise<IdentityRow> {
  const createdAt = deps.clock.now();
  const row = {
    ...{ id: deps.ids.uuid(), userId, issuer, subject },
    ...{ createdAt, settledAt: isProven ? createdAt : null, lastUsedOn: null },
  };
  if (!(await insertIdentity(tx, row))) throw new AppError('IDENTITY_TAKEN');
  return row;
}

type NewRow = Pick<UserRow, 'id' | 'email' | 'name' | 'createdAt'>;

/** Where somebody was invited at this address, what was sealed for them is theirs: the provider proves it. */
async function registerVerified(tx: Queryable, deps: EnterDeps, row: NewRow): Promise<string> {
  const person = await lockInvited(tx, row);
  if (!person || (await findPasswordHash(tx, person.id)) !== null) throw emailTaken();
  await checkRegistration(tx, deps, person.id === row.id ? null : person.id);
  await spendInvitationLinks(tx, person.id, row.createdAt);
  const { name, createdAt } = row;
  await updateUser(tx, person.id, { name, createdAt, passwordHash: ENDED_PASSWORD });
  await confirmMain(tx, deps, person.id);
  return person.id;
}

/** As by the form, with the same confirmation by email. */
async function registerUnverified(tx: Queryable, deps: EnterDeps, row: NewRow): Promise<string> {
  await checkRegistration(tx, deps, null);
  const { emailVerification } = deps.config;
  const account = { ...row, passwordHash: ENDED_PASSWORD };
  const id = await addAccount(tx, account, { mayBeInvited: emailVerification });
  if (!id) throw emailTaken();
  if (emailVerification) await queueEmails(tx, deps, 'verify-email', [{ id, email: row.email }]);
  return id;
}

const addressField = newEmailField();

function addressOf({ email }: ProviderProfile): string | null {
  const parsed = z.safeParse(addressField, email);
  return parsed.success ? parsed.data : null;
}

/** A name that the form would take, else what stands before the @. */
function nameOf({ name }: ProviderProfile, email: string): string {
  const parsed = z.safeParse(nameField, name?.slice(0, NAME_MAX));
  return parsed.success ? parsed.data : nameFromAddress(email);
}

/**
 * Notes that the provider has just said who is signed in. It counts where there is no password to ask
 * for. @throws PROVIDER_REFUSED for somebody else
 */
export async function confirmByProvider(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  { userId, sessionId }: { userId: string; sessionId: string },
  { issuer, subject }: ProviderAnswer,
): Promise<void> {
  const own = await findIdentityOf(deps.db, userId, issuer);
  if (own?.subject !== subject || (await hasPassword(deps.db, deps, userId))) {
    throw new AppError('PROVIDER_REFUSED');
  }
  await setConfirmed(deps.db, sessionId, later(deps.clock.now(), CONFIRMED_MS));
}

const expired = () => new AppError('PROVIDER_EXPIRED');
