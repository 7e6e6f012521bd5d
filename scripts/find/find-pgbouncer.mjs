import { findOrInstall, findProgram } from './find-program.mjs';

/**
 * The path of PgBouncer, which pools the connections of many servers.
 * @throws Error with one line that says what to do.
 */
export function findPgbouncer() {
  return findOrInstall(
    () => findProgram(['pgbouncer', '/usr/sbin/pgbouncer']),
    ['pgbouncer'],
    'No PgBouncer was found. Install it (Debian: apt-get install pgbouncer).',
  );
}
