import { DAY_MS, HOUR_MS, REMINDER_AFTER_DAYS } from '../../../shared/limits.ts';
import { later } from '../../clock/clock.ts';
import { insertEmails } from '../../db/emails/emails.ts';
import {
  countQueuedSince,
  findQueued,
  insertNotices,
  lockWaiting,
} from '../../db/emails/notices.ts';
import type { Queryable } from '../../db/open.ts';
import { queuePushes } from '../../db/push/push.ts';
import type { Deps } from '../../deps.ts';
import { createLimiter } from '../../limiter.ts';
import { type CapsuleKind, EMAIL_KINDS, type EmailKind, type KindsWith } from '../../mail/kinds.ts';

/**
 * Queues emails in the transaction of the event they are about, so that there is neither without the
 * other, and none about a capsule is found before its notices, and dropped. A link that is only asked
 * for again is about no event. Call `deps.mailQueued()` after the commit, or they are sent a little
 * later.
 */

type QueueDeps = Pick<Deps, 'clock' | 'ids'>;

export interface Person {
  id: string;
}

/** Whom an email is for, and what it is about besides. */
interface NewEmailTo {
  /** Null where it is not known whether the address is a person's. */
  id: string | null;
  /** Where it goes, of a kind that goes to one address. */
  email?: string;
  /** The id of what it is about besides, which its renderer reads. */
  aboutId?: string;
  /** Which client asks for it, as a hash. */
  requestedBy?: string;
  /** Not before this time; without it, now. */
  dueAt?: Date;
}

/** What goes to one address names it: without, it would be sent to nobody. */
type AtAddress = NewEmailTo & { email: string };
type AddressKind = KindsWith<{ goesTo: 'address' }>;

/**
 * Queues an email of this kind to each of these. What a link in it needs is made when it is sent, and
 * so is the text: known and unknown addresses write the same rows and take the same time.
 */
export async function queueEmails<Kind extends Exclude<EmailKind, CapsuleKind>>(
  tx: Queryable,
  deps: QueueDeps,
  kind: Kind,
  people: (Kind extends AddressKind ? AtAddress : NewEmailTo)[],
): Promise<void> {
  await insertEmails(
    tx,
    people.map((to) => newEmail(deps, kind, to, to.dueAt)),
  );
}

/** To each of these addresses of one person. @param aboutId of what it is about besides */
export const toEach = (id: string, addresses: string[], aboutId?: string): AtAddress[] =>
  addresses.map((email) => ({ id, email, ...(aboutId && { aboutId }) }));

function newEmail(
  { clock, ids }: QueueDeps,
  kind: EmailKind,
  { id: userId, email, aboutId, requestedBy }: NewEmailTo,
  dueAt: Date = clock.now(),
) {
  const { goesTo, urgency, isAboutCapsules } = EMAIL_KINDS[kind];
  const createdAt = clock.now();
  const id = ids.uuid();
  const toAddress = goesTo === 'address' ? (email ?? null) : null;
  return {
    email: { id, kind, userId, toAddress, isAboutCapsules, aboutId, requestedBy, createdAt },
    sending: {
      id: ids.uuid(),
      emailId: id,
      number: 1,
      cause: 'first' as const,
      urgency,
      slot: goesTo === 'person' ? ('main' as const) : null,
      nextAttemptAt: dueAt,
      createdAt,
    },
  };
}

/** That a person is to be told about a capsule. */
interface NewNotice {
  userId: string;
  capsuleId: string;
}

const nameOf = ({ capsuleId, userId }: NewNotice) => `${capsuleId} ${userId}`;

/**
 * Tells each person once about each capsule. What goes beyond the limit of an hour is told together,
 * by one email at the end of it.
 * @returns those who were not told before
 */
export async function queueNotices(
  tx: Queryable,
  deps: QueueDeps,
  kind: CapsuleKind,
  about: NewNotice[],
  dueAt: Date = deps.clock.now(),
): Promise<NewNotice[]> {
  if (about.length === 0) return [];
  const alreadyQueued = new Set((await findQueued(tx, kind, about)).map(nameOf));
  const untold = about.filter((one) => !alreadyQueued.has(nameOf(one)));
  if (untold.length === 0) return [];
  const hourAgo = later(deps.clock.now(), -HOUR_MS);
  const counts = await countQueuedSince(tx, { kind, userIds: idsOf(untold), after: hourAgo });
  const { singlyAnHour } = EMAIL_KINDS[kind];
  const { singly, beyond } = split(untold, (id) => singlyAnHour - (counts.get(id) ?? 0));
  // Where all is told together, as with reminders, it waits for nothing.
  const togetherAt = later(dueAt, singlyAnHour > 0 ? HOUR_MS : 0);
  const waiting = await lockWaiting(tx, {
    kind,
    userIds: idsOf(beyond),
    queuedAfter: hourAgo,
    dueAfter: later(togetherAt, -HOUR_MS),
  });
  const tell = (userId: string, about: NewNotice[], at: Date) => {
    const made = newEmail(deps, kind, { id: userId }, at);
    return { emailId: made.email.id, made, about };
  };
  const told = [
    ...singly.map((one) => tell(one.userId, [one], dueAt)),
    ...idsOf(beyond).map((userId) => {
      const about = beyond.filter((one) => one.userId === userId);
      const emailId = waiting.get(userId);
      return emailId ? { emailId, made: null, about } : tell(userId, about, togetherAt);
    }),
  ];
  await insertEmails(
    tx,
    told.flatMap(({ made }) => made ?? []),
  );
  await insertNotices(
    tx,
    told.flatMap(({ emailId, about }) => about.map((one) => ({ ...one, kind, emailId }))),
  );
  return untold;
}

const idsOf = (about: NewNotice[]) => [...new Set(about.map(({ userId }) => userId))];

/** What each person gets by an email of its own, and what is beyond that. @param roomOf how many of the former one gets */
function split(about: NewNotice[], roomOf: (userId: string) => number) {
  const before = new Map<string, number>();
  const isSingle = about.map(({ userId }) => {
    const count = before.get(userId) ?? 0;
    before.set(userId, count + 1);
    return count < roomOf(userId);
  });
  return {
    singly: about.filter((_one, index) => isSingle[index]),
    beyond: about.filter((_one, index) => !isSingle[index]),
  };
}

/** Each of them takes a connection, where servers on one database count together. */
const COUNTS_AT_ONCE = 5;

/**
 * Who gets "a capsule is waiting for you": the recipients, if the creator turned it on, as far as
 * the creator's limits go. A capsule beyond them is sealed and listed as usual. Counted apart from
 * the rows, which go with a deleted capsule; and outside of the transaction that seals, because a
 * count may need a connection of its own. If sealing fails afterwards, the counts stay: a creator
 * who tries again has so many notices less that day.
 */
export async function choosePeopleToNotify(
  { limits }: Pick<Deps, 'limits'>,
  capsule: { creatorId: string; notifyRecipient: boolean },
  recipients: Person[],
): Promise<Person[]> {
  if (!capsule.notifyRecipient) return [];
  const { creatorId } = capsule;
  const inTurn = createLimiter(COUNTS_AT_ONCE, recipients.length);
  const toOne = (person: Person) => `${creatorId} ${person.id}`;
  const counted = await Promise.all(
    recipients.map((person) => inTurn(() => limits.tryTake('waitingToOne', toOne(person)))),
  );
  const within = recipients.filter((_person, index) => counted[index]?.isWithin);
  if (within.length === 0) return [];
  const { fits } = await limits.tryTake('waitingToAll', creatorId, within.length);
  const others = within.slice(fits);
  await Promise.all(
    others.map((person) => inTurn(() => limits.giveBack('waitingToOne', toOne(person), 1))),
  );
  return within.slice(0, fits);
}

/**
 * "A capsule is waiting for you". A creator among the recipients gets it too: it is their only
 * written trace of a letter that may stay sealed for decades.
 */
export function queueWaitingNotices(
  tx: Queryable,
  deps: QueueDeps,
  capsule: { id: string },
  people: Person[],
): Promise<unknown> {
  return queueNotices(tx, deps, 'capsule-waiting', toAll(people, capsule));
}

const toAll = (people: Person[], { id: capsuleId }: { id: string }): NewNotice[] =>
  people.map(({ id: userId }) => ({ userId, capsuleId }));

interface OpenedCapsule {
  id: string;
  creator: Person | null;
  notifyRecipient: boolean;
  recipients: {
    id: string;
    /** Then no browser is told. Their email is not sent, and the creator sees it as sent. */
    hasBlockedCreator?: boolean;
  }[];
}

/**
 * "It has opened", once to each recipient and to the creator, even with notifications turned off:
 * by email, and to the browsers they chose. And "it is still there", a month later, for recipients who
 * have not looked by then, of capsules about which they were to get emails: queued now, so that each
 * is told once, whatever happens meanwhile.
 */
export async function queueOpenedNotices(
  tx: Queryable,
  deps: QueueDeps,
  capsules: OpenedCapsule[],
): Promise<void> {
  const everyone = capsules.flatMap((capsule) => {
    const { creator, recipients } = capsule;
    const isOther = ({ id }: Person) => id !== creator?.id;
    return toAll([...recipients.filter(isOther), ...(creator ? [creator] : [])], capsule);
  });
  const told = await queueNotices(tx, deps, 'capsule-opened', everyone);
  const now = deps.clock.now();
  const blockers = capsules.flatMap((capsule) =>
    toAll(
      capsule.recipients.filter((one) => one.hasBlockedCreator),
      capsule,
    ),
  );
  const blocked = new Set(blockers.map(nameOf));
  const pushed = told.filter((one) => !blocked.has(nameOf(one)));
  await queuePushes(tx, pushed, now);
  const reminded = capsules
    .filter(({ notifyRecipient }) => notifyRecipient)
    .flatMap((capsule) => toAll(capsule.recipients, capsule));
  const remindedAt = later(now, REMINDER_AFTER_DAYS * DAY_MS);
  await queueNotices(tx, deps, 'capsule-reminder', reminded, remindedAt);
}
