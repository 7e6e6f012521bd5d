import {
  type Capsule,
  type CapsulePage,
  type CapsuleType,
  type CapsuleView,
  capsuleViewSchema,
  type DashboardSummary,
} from '../../shared/api/capsules.ts';
import { CAPSULES_PER_PAGE } from '../../shared/limits.ts';
import { db, openedUserId } from './database.ts';
import { deleteShown } from './shown-files.ts';
import type { CachedBody, CachedResponse } from './tables.ts';

/*
 * The server's last answers, one row for each question. Screens show them at once, also without a
 * connection; the answer to the same question, asked later, replaces the row.
 */

/** A cached answer and when the server was asked (milliseconds since 1970, this device's clock). */
export interface Cached<Body> {
  body: Body;
  fetchedAt: number;
}

export const PROFILE_KEY = 'me';
export const LIMITS_KEY = 'limits';
export const EMAIL_CHOICES_KEY = 'email-choices';
export const ADDRESSES_KEY = 'addresses';
export const summaryKey = (year: number) => `summary/${year}`;
export const capsuleKey = (id: string) => `capsule/${id}`;

export interface ListRequest {
  type: CapsuleType;
  /** Empty for the whole list. */
  query: string;
  page: number;
  /** Absent: newest first. */
  view?: CapsuleView;
  /** Only what was put away. */
  hidden?: boolean;
}

export function listKey({ type, query, page, view = 'newest', hidden }: ListRequest): string {
  const params = new URLSearchParams({ page: String(page), query });
  if (view !== 'newest') params.set('view', view);
  if (hidden) params.set('hidden', 'true');
  return `${type}?${params}`;
}

/** All capsules of a list and not a part of them, newest first. */
function isWholeList({ query, view = 'newest', hidden = false }: ListRequest): boolean {
  return query === '' && view === 'newest' && !hidden;
}

export async function readResponse<Body extends CachedBody>(
  key: string,
): Promise<Cached<Body> | null> {
  const row = await db.responses.get(key);
  // Each key is only ever written with its own kind of body.
  return row ? { body: row.body as Body, fetchedAt: row.fetchedAt } : null;
}

/**
 * Asks the server and caches its answer.
 * @returns the answer itself when the device cannot store it, else null
 * @throws what `fetch` throws; the cached answer then stays as it is
 */
export async function revalidate<Body extends CachedBody>(
  key: string,
  fetch: () => Promise<Body>,
): Promise<Cached<Body> | null> {
  const userId = openedUserId();
  const fetchedAt = Date.now();
  const body = await fetch();
  // The person has signed out since, and the open database may be another person's.
  if (openedUserId() !== userId) return null;
  try {
    await putResponse(key, body, fetchedAt);
    return null;
  } catch {
    return { body, fetchedAt };
  }
}

/**
 * The browser keeps large rows in files of its own, and those may get lost. Then all that is cached goes,
 * because the server has it. @throws what says that the database is being closed, which Dexie expects
 */
export function forgetUnreadable(error: Error): null {
  if (['DatabaseClosedError', 'AbortError'].includes(error.name)) throw error;
  // Later, because a live query may not write.
  setTimeout(() => void clearResponses().catch(() => undefined));
  return null;
}

async function clearResponses(): Promise<void> {
  // Who watches a table is told also when nothing was deleted, and would read again for ever.
  if ((await db.responses.count()) > 0) await db.responses.clear();
}

/** Caches an answer, unless the cached one is newer. @param fetchedAt when the server was asked */
export async function putResponse(key: string, body: CachedBody, fetchedAt: number): Promise<void> {
  const capsuleIds = capsuleIdsOf(body);
  await db.transaction('rw', db.responses, db.shownFiles, async () => {
    const stored = await db.responses.get(key);
    const { fetchedAt: storedAt = 0, changedAt = 0 } = stored ?? {};
    if (past(Math.max(storedAt, changedAt)) > fetchedAt) return;
    if ('capsules' in body) await deleteReplaced(key, body, capsuleIds);
    await db.responses.put({ key, body, fetchedAt, capsuleIds });
  });
}

/** A time still to come was noted while the device's clock was wrong, and says nothing. */
const past = (time: number) => (time <= Date.now() ? time : 0);

const byAge = (one: CachedResponse, other: CachedResponse) =>
  past(one.fetchedAt) - past(other.fetchedAt);

/** Deletes what a new page of a list makes obsolete. */
async function deleteReplaced(key: string, page: CapsulePage, ids: string[]) {
  const request = requestOf(key);
  for (const row of await listRows(request.type)) {
    const other = requestOf(row.key);
    const isSameList = listKey({ ...other, page: 1 }) === listKey({ ...request, page: 1 });
    // Of the searches and views of a list only the last one is kept.
    const isOldPart = !isSameList && !isWholeList(request) && !isWholeList(other);
    const isBeyondEnd = isSameList && other.page > page.pagination.totalPages;
    if (isOldPart || isBeyondEnd) await db.responses.delete(row.key);
    if (row.key !== key || !isWholeList(request)) continue;
    const missing = capsulesIn(row.body).filter(({ id }) => !ids.includes(id));
    const deleted = missing.filter((capsule) => belongsOn(page, capsule)).map(({ id }) => id);
    await db.responses.bulkDelete(deleted.map(capsuleKey));
    await deleteShown(deleted);
  }
}

/**
 * Whether this page of a whole list, newest first, would show the capsule. If it does not, the capsule
 * was deleted on another device; others have only moved to the page before or after.
 */
function belongsOn({ capsules, pagination }: CapsulePage, { createdAt }: Capsule): boolean {
  const { currentPage, totalPages } = pagination;
  const [first, last] = [capsules[0], capsules.at(-1)];
  const isBefore = currentPage > 1 && first !== undefined && createdAt >= first.createdAt;
  const isAfter = currentPage < totalPages && last !== undefined && createdAt <= last.createdAt;
  return !isBefore && !isAfter;
}

/**
 * A capsule as it was last fetched, by itself or as part of a list, which leaves out who has added what.
 * A letter to oneself is in both lists, and is its creator's, whichever list was fetched last.
 */
export async function readCapsule(id: string): Promise<Cached<Capsule> | null> {
  const rows = await db.responses.where('capsuleIds').equals(id).toArray();
  const found = rows.sort(byAge).flatMap(({ body, fetchedAt }) => {
    const capsule = capsulesIn(body).find((other) => other.id === id);
    return capsule ? { body: capsule, fetchedAt } : [];
  });
  const last = found.at(-1);
  if (!last) return null;
  // What is inside an open one doesn't change any more.
  const whole = found.findLast(({ body }) => body.contributions)?.body;
  const inside = whole && { contributions: whole.contributions, fileInfo: whole.fileInfo };
  const added = last.body.locked && found.findLast(({ body }) => body.added)?.body.added;
  const isOwn = last.body.senderId != null && last.body.senderId === openedUserId();
  const more = { ...inside, ...(added && { added }), ...(isOwn && { type: 'created' as const }) };
  return { ...last, body: { ...last.body, ...more } };
}

/** Puts a new capsule first in the created list, which then counts one more. */
export async function addCreated(capsule: Capsule): Promise<void> {
  await db.transaction('rw', db.responses, async () => {
    for (const row of await listRows('created')) {
      const request = requestOf(row.key);
      if (!isWholeList(request) || !('capsules' in row.body)) continue;
      // A create that was repeated because its answer got lost may be in the list already.
      if (row.capsuleIds.includes(capsule.id)) continue;
      const { capsules } = row.body;
      const first =
        request.page === 1 ? [capsule, ...capsules].slice(0, CAPSULES_PER_PAGE) : capsules;
      await putChanged(row, { capsules: first, pagination: counted(row.body, +1) });
    }
  });
}

/** Removes a capsule that was deleted, by anybody, from every cached answer. */
export async function forgetCapsule(id: string): Promise<void> {
  await deleteShown([id]);
  const rows = () => db.responses.where('capsuleIds').equals(id);
  try {
    await db.transaction('rw', db.responses, async () => {
      for (const row of await rows().toArray()) await removeFrom(row, id);
    });
  } catch {
    // Deleting whole answers needs no room on a full device.
    await rows().delete();
  }
}

async function removeFrom(row: CachedResponse, id: string): Promise<void> {
  const { body } = row;
  if ('capsules' in body) {
    const capsules = body.capsules.filter((capsule) => capsule.id !== id);
    await putChanged(row, { capsules, pagination: counted(body, -1) });
  } else if ('nextUnlocks' in body) {
    const nextUnlocks = body.nextUnlocks.filter((next) => next.id !== id);
    await putChanged(row, { ...body, nextUnlocks });
  } else await db.responses.delete(row.key);
}

/** Looks through every capsule that is cached: the searches of a device without a connection. */
export async function searchCached(request: ListRequest): Promise<Cached<CapsulePage>> {
  const { type, query, page, view = 'newest', hidden = false } = request;
  const rows = (await db.responses.toArray()).sort(byAge);
  const all = rows.flatMap(({ body }) => capsulesIn(body)).filter((one) => one.type === type);
  const unique = new Map(all.map((one) => [one.id, one]));
  const wanted = query.toLocaleLowerCase();
  const found = [...unique.values()]
    .filter((capsule) => textOf(capsule).includes(wanted))
    .filter((capsule) => (capsule.hidden ?? false) === hidden || type === 'created')
    .filter((capsule) => ['newest', 'opening', partOf(capsule)].includes(view))
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  const pagination = {
    currentPage: page,
    totalPages: Math.ceil(found.length / CAPSULES_PER_PAGE),
    itemsPerPage: CAPSULES_PER_PAGE,
    totalItems: found.length,
  };
  const capsules = found.slice((page - 1) * CAPSULES_PER_PAGE, page * CAPSULES_PER_PAGE);
  const fetchedAt = Math.min(Date.now(), ...(await listRows(type)).map((row) => row.fetchedAt));
  return { body: { capsules, pagination }, fetchedAt };
}

function partOf({ locked, ready }: Capsule): CapsuleView {
  if (locked) return 'sealed';
  return ready ? 'ready' : 'opened';
}

function textOf({ title, description, senderName, senderEmail, recipientEmails }: Capsule): string {
  const parts = [title, description, senderName, senderEmail, ...recipientEmails];
  return parts.join('\n').toLocaleLowerCase();
}

async function putChanged(row: CachedResponse, body: CapsulePage | DashboardSummary) {
  await db.responses.put({
    ...row,
    body,
    changedAt: Date.now(),
    capsuleIds: capsuleIdsOf(body),
  });
}

async function listRows(type: CapsuleType): Promise<CachedResponse[]> {
  return db.responses.where('key').startsWith(`${type}?`).toArray();
}

function requestOf(key: string): ListRequest {
  const [type, search] = key.split('?');
  const params = new URLSearchParams(search);
  return {
    type: type === 'received' ? 'received' : 'created',
    query: params.get('query') ?? '',
    page: Number(params.get('page')),
    view: capsuleViewSchema.parse(params.get('view') ?? 'newest'),
    hidden: params.has('hidden'),
  };
}

function capsuleIdsOf(body: CachedBody): string[] {
  const named = 'nextUnlocks' in body ? body.nextUnlocks : capsulesIn(body);
  return named.map(({ id }) => id);
}

function capsulesIn(body: CachedBody): Capsule[] {
  if ('capsules' in body) return body.capsules;
  return 'unlockAt' in body ? [body] : [];
}

function counted({ pagination }: CapsulePage, change: 1 | -1) {
  const totalItems = Math.max(0, pagination.totalItems + change);
  return { ...pagination, totalItems, totalPages: Math.ceil(totalItems / pagination.itemsPerPage) };
}
