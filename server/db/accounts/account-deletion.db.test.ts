import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { sharedDatabase } from '../../../tests/support/database.ts';
import { untilWaiting } from '../../../tests/support/lock-waits.ts';
import { createMailWorld, type Person, START } from '../../../tests/support/mail-world.ts';
import { rare } from '../../../tests/support/rare.ts';
import { sampleId } from '../../../tests/support/sample-capsule.ts';
import { createSessions } from '../../auth/sessions.ts';
import { hashToken } from '../../auth/token-hash.ts';
import { deleteAccount } from '../../domain/accounts/delete-account.ts';
import { refuseInvitation } from '../../domain/accounts/invitations.ts';
import { capsules, pendingFiles } from '../schema.ts';
import { insertLinks } from './link-tokens.ts';

const database = sharedDatabase();

/** More than one statement takes. */
const MANY = 4_500;

/** Capsules of one file each, from one person to another. */
async function addCapsules(from: Person, to: Person, count: number): Promise<void> {
  await database.sql`
    with sealed as (
      insert into capsules (id, creator_id, title, description, personal_message, date_to_unlock,
        time_zone, unlock_at, notify_recipient, media_count, total_bytes, created_at)
      select gen_random_uuid(), ${from.id}, '', '', '', '2040-01-01', 'UTC', '2040-01-01', false, 1,
        1, now() from generate_series(1, ${count}::int) returning id
    ), files as (
      insert into capsule_files (id, capsule_id, position, name, type, bytes, sha256, storage_key)
      select gen_random_uuid(), id, 0, 'a.pdf', 'application/pdf', 1, '0', 'capsules/' || id
      from sealed
    )
    insert into capsule_recipients (capsule_id, user_id, position, created_at, unlock_at,
      date_to_unlock, is_creator)
    select id, ${to.id}, 0, now(), '2040-01-01', '2040-01-01', ${from.id === to.id} from sealed`;
}

const world = () => {
  const { deps, addPerson } = createMailWorld(database.db);
  let woken = 0;
  const passwords = { hash: async () => '', verify: async () => true };
  const filesReleased = () => {
    woken += 1;
  };
  const sessions = createSessions(deps);
  return { deps: { ...deps, passwords, sessions, filesReleased }, addPerson, woken: () => woken };
};

rare('deletes an account with more capsules than one statement takes, whichever way', async () => {
  const { deps, addPerson, woken } = world();
  const ada = await addPerson('Ada', { avatarKey: 'avatars/ada' });
  const heir = await addPerson('Heir');
  await addCapsules(ada, heir, MANY);
  await addCapsules(ada, ada, 10);
  const leave = (person: Person, what: 'deliver' | 'destroy') =>
    deleteAccount(deps, { userId: person.id, sessionId: '' }, { password: 'any', capsules: what });

  await leave(ada, 'deliver');
  const left = await database.db.select().from(capsules);
  expect(left).toHaveLength(MANY);
  expect(new Set(left.map((row) => row.departedCreator))).toEqual(new Set(['Ada']));
  expect(await database.db.select().from(pendingFiles)).toHaveLength(11);

  await addCapsules(heir, heir, 10);
  await leave(heir, 'destroy');
  expect(await database.db.select().from(capsules)).toEqual([]);
  expect(await database.db.select().from(pendingFiles)).toHaveLength(MANY + 21);
  expect(woken()).toBe(2);
});

it.each(['deliver', 'destroy'] as const)(
  'locks capsules in the order in which a refusal does: %s',
  async (what) => {
    const { db } = database;
    const { deps, addPerson } = world();
    const { addCapsule } = createMailWorld(db);
    const ada = await addPerson('Ada');
    const rose = await addPerson('Rose', { passwordHash: null });
    await db.delete(capsules);
    // Whichever way PostgreSQL would find them, the last one comes first.
    const ids = [sampleId(3), sampleId(2), sampleId(1)];
    for (const id of ids) await addCapsule(ada, [rose], { id });
    const expiresAt = new Date(START.getTime() + 1);
    const link = { tokenHash: hashToken(what), userId: rose.id, sentTo: rose.email, expiresAt };
    await insertLinks(db, [{ ...link, purpose: 'invitation' }]);
    const both = await db.transaction(async (tx) => {
      await tx
        .select()
        .from(capsules)
        .where(eq(capsules.id, sampleId(2)))
        .for('update');
      const leaving = deleteAccount(
        deps,
        { userId: ada.id, sessionId: '' },
        { password: 'any', capsules: what },
      );
      await untilWaiting(db, 1);
      const refusing = refuseInvitation(deps, what);
      await untilWaiting(db, 2);
      return [leaving, refusing];
    });
    expect((await Promise.allSettled(both)).filter(({ status }) => status === 'rejected')).toEqual(
      [],
    );
  },
);
