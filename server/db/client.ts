import postgres, { type Options, type Sql } from 'postgres';
import type { Log } from '../log.ts';

/** Where a database is: an address of a server, or the unix socket of the embedded one. */
export type DatabaseAddress = { url: string } | { socketPath: string; database?: string };

/** The embedded cluster's superuser and first database. */
export const EMBEDDED_USER = 'postgres';

/** postgres.js with what all our clients share. It connects at the first query. */
export function createClient(
  address: DatabaseAddress,
  { log, ...options }: Options<Record<string, never>> & { log: Log },
): Sql {
  const shared = {
    connect_timeout: 10,
    // "relation already exists, skipping" and the like would go to the console.
    onnotice: (notice: postgres.Notice) => log.debug({ notice: notice.message }, 'database notice'),
    ...options,
    connection: { application_name: 'time-capsule', ...options.connection },
  };
  if ('url' in address) return postgres(address.url, shared);
  return postgres({
    ...shared,
    // postgres.js reads PGSSL and friends from the environment unless told.
    ssl: false,
    host: 'localhost',
    path: address.socketPath,
    user: EMBEDDED_USER,
    database: address.database ?? EMBEDDED_USER,
  });
}

/** The address for a person to read: never with a password. */
export function describeAddress(address: DatabaseAddress): string {
  if ('socketPath' in address) return `the socket ${address.socketPath}`;
  try {
    const { hostname, port, pathname } = new URL(address.url);
    return `${hostname || 'localhost'}:${port || 5432}${pathname}`;
  } catch {
    return 'the address in DATABASE_URL';
  }
}
