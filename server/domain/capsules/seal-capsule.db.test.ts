import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import { beforeEach, expect, it } from 'vitest';
import { type NewCapsuleInput, newCapsuleSchema } from '../../../shared/api/new-capsule.ts';
import { DAY_MS, FILES_MAX, MEGABYTE } from '../../../shared/limits.ts';
import { type Person, sharedMailWorld } from '../../../tests/support/mail-world.ts';
import { createMemoryStore } from '../../../tests/support/memory-store.ts';
import { lockUser } from '../../db/accounts/users.ts';
import { claimKey } from '../../db/capsules/capsule-keys.ts';
import * as schema from '../../db/schema.ts';
import { capsules, uploads, users } from '../../db/schema.ts';
import { insertPending } from '../../db/storage/pending-files.ts';
import { getCapsule } from './capsules.ts';
import { createCapsule } from './create-capsule.ts';
import { checkNewCapsule, type ReceivedFile } from './new-capsule.ts';
import { sealCapsule } from './seal-capsule.ts';

const { database, world } = sharedMailWorld();
let ada: Person;
let ben: Person;
beforeEach(async () => {
  ada = await world.addPerson('Ada');
  ben = await world.addPerson('Ben');
});

const fieldsTo = (to: Person, change: Partial<NewCapsuleInput> = {}) =>
  newCapsuleSchema.parse({
    title: 'For later',
    description: 'Open when it is time',
    dateToUnlock: '2031-01-01',
    recipientEmails: [to.email],
    ...change,
  });

const check = (to: Person, change: Partial<NewCapsuleInput> = {}) =>
  checkNewCapsule(world.deps, { userId: ada.id }, fieldsTo(to, change));

async function* letter(change: Partial<NewCapsuleInput>) {
  yield { fields: fieldsTo(ben, { recipientEmails: [ben.email, ada.email], ...change }) };
}

const filesOf = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, index): ReceivedFile => {
    const storageKey = `capsules/${world.deps.ids.uuid()}`;
    return { name: `${index}.pdf`, type: 'application/pdf', bytes, sha256: '0', storageKey };
  });

/** Files whose bytes are there, and have no name yet. */
async function arrived(count: number, bytes: number): Promise<ReceivedFile[]> {
  const files = filesOf(count, bytes);
  const now = world.deps.clock.now();
  for (const { storageKey } of files) await insertPending(database.db, storageKey, now);
  return files;
}

async function sealTo(to: Person, files: ReceivedFile[] = [], from = ada) {
  const input = { checked: await check(to), files, claim: null };
  return sealCapsule(world.deps, { userId: from.id }, input);
}

it('seals a letter without files in four statements, and asks for nothing afterwards', async () => {
  const sent: string[] = [];
  const logger = { logQuery: (query: string) => void sent.push(query) };
  const db = drizzle(database.sql, { schema, logger });
  let woken = 0;
  const mailQueued = () => {
    woken += 1;
  };
  const files = createMemoryStore();
  const deps = { ...world.deps, db, files, mailQueued };
  const create = (key: string, change: Partial<NewCapsuleInput> = {}) =>
    createCapsule(
      deps,
      { userId: ada.id },
      { key, announcedBytes: 0, parts: letter(change), countInvitation: async () => {} },
    );
  const key = world.deps.ids.uuid();
  const made = await create(key);
  // The claim of the key, the recipients, the lock of the creator, and everything that is sealed.
  expect(sent).toHaveLength(4);
  expect(woken).toBe(0);
  const capsule = await getCapsule(world.deps, { userId: ada.id }, made.capsule.id);
  expect(made).toEqual({ capsule, links: [] });
  expect(await create(key)).toEqual(made);
  await create(world.deps.ids.uuid(), { notifyRecipient: true });
  expect(woken).toBe(1);
});

it('waits for the disk at the seal only, and not for the claim of a key', async () => {
  const claim = { userId: ada.id, key: world.deps.ids.uuid(), claim: world.deps.ids.uuid() };
  const now = world.deps.clock.now();
  const [setting] = await database.db.transaction(async (tx) => {
    await tx.execute('set local synchronous_commit = on');
    await claimKey(tx, { ...claim, leaseUntil: now, now });
    return tx.execute('show synchronous_commit');
  });
  expect(setting).toEqual({ synchronous_commit: 'off' });
});

it('counts texts towards the storage limit', async () => {
  const config = { ...world.deps.config, storageLimitMB: 0.1 };
  const seal = async () => {
    const checked = await check(ben, { personalMessage: 'é'.repeat(40_000) });
    const sealing = { checked, files: [], claim: null };
    return sealCapsule({ ...world.deps, config }, { userId: ada.id }, sealing);
  };
  await seal();
  await expect(seal()).rejects.toMatchObject({ code: 'STORAGE_LIMIT_REACHED' });
  expect(await database.db.select().from(capsules)).toMatchObject([{ textBytes: 80_029 }]);
});

it('takes only so many capsules of one person a day', async () => {
  const first = world.deps.clock.now();
  await addSealed(ada, ben, 999);
  await sealTo(ben);
  await expect(sealTo(ben)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringMatching(/^You've sealed 1,000 capsules within a day/),
    details: { retryAfter: 3_600 },
  });
  await sealTo(ben, [], ben);
  world.setNow(new Date(first.getTime() + DAY_MS));
  await sealTo(ben);
});

/** Capsules as if they had been sealed at this moment. */
async function addSealed(from: Person, to: Person, count: number): Promise<void> {
  const now = world.deps.clock.now().toISOString();
  await database.sql`
    with sealed as (
      insert into capsules (id, creator_id, title, description, personal_message, date_to_unlock,
        time_zone, unlock_at, notify_recipient, media_count, total_bytes, created_at)
      select gen_random_uuid(), ${from.id}, '', '', '', '2040-01-01', 'UTC', '2040-01-01', false, 0,
        0, ${now}::timestamptz from generate_series(1, ${count}::int) returning id
    )
    insert into capsule_recipients (capsule_id, user_id, position, created_at, unlock_at,
      date_to_unlock, is_creator)
    select id, ${to.id}, 0, ${now}::timestamptz, '2040-01-01', '2040-01-01', ${from.id === to.id} from sealed`;
}

it('names a recipient who has left while the files were arriving', async () => {
  const checked = await check(ben);
  await database.db.delete(users).where(eq(users.id, ben.id));
  const sealing = sealCapsule(
    world.deps,
    { userId: ada.id },
    { checked, files: await arrived(1, 1), claim: null },
  );
  await expect(sealing).rejects.toMatchObject({
    code: 'RECIPIENT_NOT_REGISTERED',
    message: expect.stringContaining(ben.email),
  });
  expect(await database.db.select().from(capsules)).toEqual([]);
});

it('counts whom it invites in place of an account that has gone while the files were arriving', async () => {
  const checked = await check(ben, { invite: [{ email: ben.email }] });
  await database.db.delete(users).where(eq(users.id, ben.id));
  const counted: string[] = [];
  const countInvitation = async (email: string) => void counted.push(email);
  const sealing = { checked, files: [], claim: null, countInvitation };
  await sealCapsule(world.deps, { userId: ada.id }, sealing);
  expect(counted).toEqual([ben.email]);
});

it('asks a creator who has left meanwhile to sign in', async () => {
  const checked = await check(ben);
  await database.db.delete(users).where(eq(users.id, ada.id));
  const sealing = sealCapsule(
    world.deps,
    { userId: ada.id },
    { checked, files: await arrived(1, 1), claim: null },
  );
  await expect(sealing).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

it('does not wait for a seal of its recipient: two who seal for each other would wait for ever', async () => {
  await database.db.transaction(async (tx) => {
    await lockUser(tx, ben.id);
    expect(await sealTo(ben)).toMatchObject({ capsule: { locked: true } });
  });
});

it('counts files of the body and of resumable uploads alike', async () => {
  await expect(sealTo(ben, filesOf(FILES_MAX + 1, 1))).rejects.toMatchObject({
    code: 'TOO_MANY_FILES',
  });
  await expect(sealTo(ben, filesOf(6, 90 * MEGABYTE))).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
    message: expect.stringContaining('500 MB'),
  });
  expect(await sealTo(ben, await arrived(5, 100 * MEGABYTE))).toMatchObject({
    capsule: { locked: true },
  });
});

it('takes no upload that was begun anew behind its back: the bytes it has seen are gone', async () => {
  const [file] = filesOf(1, 1);
  const id = world.deps.ids.uuid();
  const now = world.deps.clock.now();
  const row = { id, userId: ada.id, name: '0.pdf', bytes: 1, received: 1, createdAt: now };
  const storageKey = `capsules/${world.deps.ids.uuid()}`;
  await database.db.insert(uploads).values({ ...row, touchedAt: now, storageKey });
  const checked = await check(ben, { uploads: [id] });
  const seal = (seen: ReceivedFile) =>
    sealCapsule(world.deps, { userId: ada.id }, { checked, files: [seen], claim: null });
  const seen = { ...file, uploadId: id } as ReceivedFile;
  await expect(seal(seen)).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' });
  expect(await database.db.select().from(uploads)).toHaveLength(1);
  expect(await seal({ ...seen, storageKey })).toMatchObject({ capsule: { locked: true } });
});
