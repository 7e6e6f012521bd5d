import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { copyFolder, syncFile } from '../copy-folder.ts';
import { keepOwner } from '../keep-owner.ts';

/**
 * Not copied: files of the running process, and the contents of folders that PostgreSQL fills
 * again (the folders must exist).
 */
const NOT_COPIED = /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*)$/;
const LEFT_EMPTY = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const LOG = 'pg_wal';
const SLOT = 'time_capsule_backup';

/**
 * Copies a running cluster by PostgreSQL's backup protocol: changes during the copy are in the
 * log, which is copied last and replayed at the copy's first start. @param sql a client with a
 * single connection that is never replaced
 */
export async function copyCluster(sql: Sql, cluster: string, target: string): Promise<void> {
  // Keeps the log until it is copied. Ends with the connection.
  await sql`select pg_create_physical_replication_slot(${SLOT}, true, true)`;
  await sql`select pg_backup_start('time-capsule', true)`;
  await copyFolder(cluster, target, {
    skip: (name) => NOT_COPIED.test(name),
    empty: (path) => LEFT_EMPTY.has(path) || path === LOG,
  });
  const [stopped] = await sql<{ labelfile: string }[]>`
    select labelfile from pg_backup_stop(false)`;
  if (!stopped) throw new Error('PostgreSQL did not end the backup.');
  const label = join(target, 'backup_label');
  await writeFile(label, stopped.labelfile, { mode: 0o600 });
  await keepOwner(cluster, label);
  await syncFile(label);
  await copyFolder(join(cluster, LOG), join(target, LOG));
}
