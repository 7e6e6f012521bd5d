import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';

/** The embedded database of a running server, reached as the server reaches it. */
export function openDatabase(dataDir) {
  // Line 4 is the port, line 5 the folder of the socket.
  const lines = readFileSync(join(dataDir, 'database/cluster/postmaster.pid'), 'utf8').split('\n');
  const socketPath = join(lines[4], `.s.PGSQL.${lines[3]}`);
  const sql = postgres({
    host: 'localhost',
    path: socketPath,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    max: 1,
    idle_timeout: 1,
  });
  return {
    socketPath,
    /** No call can open a capsule before its day; the bench cannot wait for it. */
    async unlock(id) {
      const past = '2020-01-01';
      await sql`update capsules set date_to_unlock = ${past}, unlock_at = ${past}, opened_notice_at = ${past} where id = ${id}`;
      await sql`update capsule_recipients set unlock_at = ${past} where capsule_id = ${id}`;
    },
    close: () => sql.end(),
  };
}
