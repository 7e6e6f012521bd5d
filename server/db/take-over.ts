import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Sql } from 'postgres';
import { StartError } from '../start-error.ts';
import { hasServer } from './client.ts';

/*
 * Owns the one step from a database of before 1.0.0, whose many migrations became one. It goes with 2.0.
 */

/** The last of those migrations, as the journal has it. */
export const LAST_BEFORE = {
  createdAt: 1_795_810_237_226,
  hash: '624130e6e939beb25d81712ab45e19db28b2dafe37121e104cdabec186576a64',
};

/** A commit whose server has all of them. */
export const COMMIT_BEFORE = '9c29ff7';

/** Three small tables became columns. What counts for five minutes is left out. */
const TABLES_TO_COLUMNS = `
  alter table users
    add column address_asked_at timestamptz,
    add column admitted_at timestamptz,
    add column deletion_due_at timestamptz,
    add column deletion_capsules text;
  update users set
    address_asked_at = case when password_hash is not null then greatest(created_at,
      coalesce(address_check_due_at, now() + random() * interval '1 year') - interval '1 year') end,
    admitted_at = (select a.created_at from admissions a where a.user_id = users.id),
    (deletion_due_at, deletion_capsules) =
      (select d.due_at, d.capsules from ordered_deletions d where d.user_id = users.id);
  alter table users
    add constraint users_deletion_capsules check (deletion_capsules in ('deliver', 'destroy')),
    add constraint users_deletion check ((deletion_due_at is null) = (deletion_capsules is null)),
    drop column address_check_due_at;
  create index users_address_asked on users (coalesce(address_asked_at, created_at))
    where password_hash is not null;
  create index users_deletion on users (deletion_due_at) where deletion_due_at is not null;
  alter table sessions add column confirmed_until timestamptz;
  drop table admissions, ordered_deletions, identity_confirmations`;

/**
 * Notes a database that has all migrations of before 1.0.0 as one that 1.0.0 has made, and fills in
 * what servers of before have written otherwise. Other databases stay as they are.
 * @param isMeant whether this is the start of a server
 * @throws StartError when it isn't, when some of those migrations are missing, and while a server of
 * before runs, whose statements would all fail from then on
 */
export async function takeOver(
  sql: Sql,
  options: { migrationsFolder: string; version: string; isMeant: boolean },
): Promise<void> {
  const [start] = readMigrationFiles(options);
  if (!start) throw new Error('There are no migrations.');
  const newest = await findNewest(sql);
  if (!newest || newest.createdAt >= start.folderMillis) return;
  if (newest.createdAt > LAST_BEFORE.createdAt) {
    throw new StartError(
      'This database is of a version that was never released. Nothing has been changed. Only that version can use it: start that one, or use another database.',
    );
  }
  if (newest.createdAt !== LAST_BEFORE.createdAt || newest.hash !== LAST_BEFORE.hash) {
    throw new StartError(
      `This database is from before Time Capsule 1.0.0. Nothing has been changed. Start commit ${COMMIT_BEFORE} once and then this version again, as docs/upgrading.md says.`,
    );
  }
  if (!options.isMeant) {
    throw new StartError(
      'This database is from before Time Capsule 1.0.0. Nothing has been changed. Start this version on it once, as docs/upgrading.md says, and then try again.',
    );
  }
  if (await hasServer(sql)) {
    throw new StartError(
      'A server still uses this database. Stop all of them first, as docs/upgrading.md says. Nothing has been changed.',
    );
  }
  await sql.begin(async (tx) => {
    await tx.unsafe(TABLES_TO_COLUMNS);
    // A second try was a sending of its own.
    await tx`update sendings set is_second_try = true where cause = 'unanswered' and outcome is null`;
    // A capsule counted its sender's files alone.
    await tx`update capsules c set media_count = f.files
      from (select capsule_id, count(*) files from capsule_files group by 1) f
      where f.capsule_id = c.id and c.media_count <> f.files`;
    await tx`delete from drizzle.__drizzle_migrations`;
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at, version)
      values (${start.hash}, ${start.folderMillis}, ${options.version})`;
  });
}

/** The newest migration that a database has; nothing for an empty one. */
async function findNewest(sql: Sql): Promise<{ hash: string; createdAt: number } | undefined> {
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') as name`;
  if (!table?.name) return undefined;
  const [row] = await sql<{ hash: string; created_at: string }[]>`
    select hash, created_at from drizzle.__drizzle_migrations order by created_at desc limit 1`;
  return row && { hash: row.hash, createdAt: Number(row.created_at) };
}
