import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { beforeEach, expect, it, vi } from 'vitest';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { ANSWER_MAX_MS } from '../db/answered.ts';
import { closeDatabase, db, openDatabase } from '../db/database.ts';
import { noteSignedIn, readSession } from '../db/device.ts';
import { noteToDiscard } from '../db/drafts.ts';
import { putPiece } from '../db/recordings.ts';
import { readTypedProfile, writeTypedProfile } from '../db/snapshots.ts';
import { EMPTY_DRAFT } from '../db/tables.ts';

beforeEach(() => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { cookie: '' }));
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('dispatchEvent', () => true);
});

it.each(['newer', 'held', 'unavailable'] as const)(
  'what a page could not open (%s) is deleted with the sign-out all the same, and asked about',
  async (trouble) => {
    const { deviceState } = await import('./device-state.ts');
    const { signOut, unsentWork } = await import('./sign-out.ts');
    const ada = sampleId(101);
    await noteSignedIn(ada);
    await openDatabase(ada);
    closeDatabase();
    deviceState.set({ trouble });
    expect(await unsentWork()).toBeNull();
    vi.stubGlobal('fetch', async () => new Response('{"message":"Logged out."}'));
    await signOut();
    expect((await indexedDB.databases()).map(({ name }) => name)).toEqual(['time-capsule-device']);
    expect(await readSession()).toEqual({ userId: null, signOut: null });
  },
);

it('a half-typed profile is named before the sign-out, which removes it', async () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('navigator', { onLine: false });
  const { deviceState } = await import('./device-state.ts');
  const { signOut, unsentWork } = await import('./sign-out.ts');
  const ada = sampleId(101);
  deviceState.set({ trouble: null });
  // A database that is still being opened is waited for.
  const early = unsentWork();
  await openDatabase(ada);
  expect(await early).toEqual({ drafts: 0, queued: 0, discarded: 0, profile: false });
  expect(await unsentWork()).toEqual({ drafts: 0, queued: 0, discarded: 0, profile: false });
  writeTypedProfile(ada, { name: 'Ada', bio: 'Half a sentence' });
  expect(await unsentWork()).toEqual({ drafts: 0, queued: 0, discarded: 0, profile: true });
  vi.stubGlobal('fetch', async () => new Response('{"message":"Logged out."}'));
  // A page that is closed while another tab holds the database up has removed it.
  let left: unknown;
  vi.spyOn(indexedDB, 'deleteDatabase').mockImplementationOnce(() => {
    left = readTypedProfile(ada);
    throw new Error('closed');
  });
  vi.stubGlobal('reportError', vi.fn());
  await signOut();
  expect(left).toBeNull();
});

it('what the device could not save, and a recording that was not added, are asked about', async () => {
  const { deviceState } = await import('./device-state.ts');
  const { unsentWork } = await import('./sign-out.ts');
  deviceState.set({ trouble: null });
  vi.stubGlobal('navigator', { onLine: false });
  await openDatabase(sampleId(101));
  await Promise.all(db.tables.map((table) => table.clear()));
  vi.stubGlobal('dispatchEvent', ({ type }: Event) => type !== 'beforeunload');
  expect(await unsentWork()).toMatchObject({ drafts: 1 });
  vi.stubGlobal('dispatchEvent', () => true);
  expect(await unsentWork()).toMatchObject({ drafts: 0 });

  const id = sampleId(1);
  const content = { fields: EMPTY_DRAFT, files: [] };
  const account = { revision: 1, content };
  await db.drafts.put({ id, fields: EMPTY_DRAFT, files: [], updatedAt: 1, account });
  expect(await unsentWork()).toMatchObject({ drafts: 0 });
  await putPiece(id, 0, new Blob(['a']));
  expect(await unsentWork()).toMatchObject({ drafts: 1, discarded: 0 });
  await noteToDiscard({ id: sampleId(2), fields: EMPTY_DRAFT }, account);
  await noteToDiscard({ id: sampleId(3), fields: EMPTY_DRAFT }, { ...account, revision: 0 });
  expect(await unsentWork()).toMatchObject({ drafts: 1, discarded: 1 });
});

it('a sign-out that could not clear the device is not gone on with at the next start', async () => {
  const { deviceState } = await import('./device-state.ts');
  const { signOutOffline } = await import('./sign-out.ts');
  const ada = sampleId(101);
  deviceState.set({ trouble: null });
  await noteSignedIn(ada);
  await openDatabase(ada);
  vi.spyOn(db, 'transaction').mockRejectedValueOnce(new Error('The database has failed.'));
  await expect(signOutOffline()).rejects.toThrow('failed');
  expect(await readSession()).toEqual({ userId: ada, signOut: null });
});

// The last one: after one silence nobody waits for the device again.
it('a database that does not answer holds up no question', async () => {
  const { deviceState } = await import('./device-state.ts');
  const { unsentWork } = await import('./sign-out.ts');
  deviceState.set({ trouble: null });
  vi.stubGlobal('navigator', { onLine: false });
  await openDatabase(sampleId(101));
  vi.spyOn(db.outbox, 'count').mockReturnValue(new Dexie.Promise(() => undefined));
  vi.useFakeTimers();
  const work = unsentWork();
  await vi.advanceTimersByTimeAsync(ANSWER_MAX_MS);
  vi.useRealTimers();
  expect(await work).toBeNull();
});
