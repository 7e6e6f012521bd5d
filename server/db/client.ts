import postgres, { type Options, type Sql } from 'postgres';
import type { Log } from '../log.ts';
import { sessionSettings } from './session-settings.ts';

/**
 * Where a database is: an address of a server, perhaps that of a pooler in front of it, the one past
 * the pooler or the one it moves to, or the unix socket of the embedded database.
 */
export type DatabaseAddress =
  | { url: string; way?: keyof typeof SETTINGS }
  | { socketPath: string; database?: string };

/** Where calls go, and where what needs a session of its own goes: migrations, operators' commands. */
export interface DatabaseAddresses {
  address: DatabaseAddress;
  direct: DatabaseAddress;
}

export function addressesOf(url: string, directUrl: string | null): DatabaseAddresses {
  if (!directUrl) return { address: { url }, direct: { url } };
  return { address: { url, way: 'pooler' }, direct: { url: directUrl, way: 'direct' } };
}

/** A pooler in transaction mode may run each transaction on another session. */
export function isPooler(address: DatabaseAddress): boolean {
  return 'url' in address && address.way === 'pooler';
}

const SETTINGS = { pooler: 'DATABASE_URL', direct: 'DATABASE_DIRECT_URL', target: '--to' };

/** The variable, or the option of `npm run move`, with this address. */
export function settingOf(address: DatabaseAddress): string {
  return SETTINGS[('url' in address && address.way) || 'pooler'];
}

/** The embedded cluster's superuser and first database. */
export const EMBEDDED_USER = 'postgres';

/** The `application_name` of a server's connections, and that of a start's. */
const SERVER = 'time-capsule';
export const NOT_A_SERVER = { application_name: `${SERVER}-start` };
/** That of an operator's commands, which may wait for a yes before they write. */
export const COMMAND = { application_name: `${SERVER}-command` };

/** Whether a server, or another command, uses this database. */
export async function hasServer(sql: Sql): Promise<boolean> {
  const servers = await sql`select from pg_stat_activity
    where datname = current_database() and application_name in (${SERVER}, ${COMMAND.application_name})
    and pid <> pg_backend_pid()`;
  return servers.length > 0;
}

/** postgres.js with what all our clients share. It connects at the first query. */
export function createClient(
  address: DatabaseAddress,
  { log, ...options }: Options<Record<string, never>> & { log: Log },
): Sql {
  const shared = {
    connect_timeout: 10,
    // "relation already exists, skipping" and the like would go to the console.
    onnotice: (notice: postgres.Notice) =>
      log.debug({ notice: notice.message }, 'The database sent a notice.'),
    ...options,
    // Behind a pooler a statement would be prepared in one session and run in another.
    prepare: !isPooler(address),
    connection: asText({
      application_name: SERVER,
      ...sessionSettings({ isPooled: isPooler(address) }),
      ...options.connection,
    }),
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

/** The driver leaves out the number 0, which turns a time-out off. */
function asText(settings: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
}

/** The address for a person to read: never with a password. */
export function describeAddress(address: DatabaseAddress): string {
  if ('socketPath' in address) return `the socket ${address.socketPath}`;
  try {
    const { hostname, port, pathname } = new URL(address.url);
    return `${hostname || 'localhost'}:${port || 5432}${pathname}`;
  } catch {
    return `the address in ${settingOf(address)}`;
  }
}
