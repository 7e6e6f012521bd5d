import type { Sql } from 'postgres';
import { StartError } from '../start-error.ts';
import { type DatabaseAddress, describeAddress } from './client.ts';
import { KNOWN_TO_POOLERS, OTHERS } from './session-settings.ts';

const OLDEST_MAJOR = 15;

/**
 * @throws StartError for a PostgreSQL that is too old, a database that can't hold every letter, one that
 * takes no writes, and settings that no client can change
 */
export async function refuseUnsuitable(sql: Sql, address: DatabaseAddress): Promise<void> {
  const wanted = { ...KNOWN_TO_POOLERS, ...OTHERS };
  const names = [
    ...Object.keys(wanted),
    'server_version',
    'server_encoding',
    'default_transaction_read_only',
  ];
  const rows = await sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings
    where name in ${sql(names)}
    union all select 'current_schema', coalesce(current_schema(), 'none')`;
  const found = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  const version = found.server_version ?? '';
  if (Number.parseInt(version, 10) < OLDEST_MAJOR) {
    throw new StartError(
      `Time Capsule needs PostgreSQL ${OLDEST_MAJOR} or newer; this database is ${version}.`,
    );
  }
  const where = describeAddress(address);
  if (found.server_encoding !== 'UTF8') {
    throw new StartError(
      `The database at ${where} is in ${found.server_encoding}, which can't hold every letter. Make another one: create database capsules encoding 'UTF8' template template0`,
    );
  }
  if (found.default_transaction_read_only === 'on') {
    throw new StartError(
      `The database at ${where} takes no writes: default_transaction_read_only is on. Free space on its disk if your provider has set it, or reset it (alter role … or alter database …).`,
    );
  }
  for (const [name, value] of Object.entries({ ...wanted, current_schema: 'public' })) {
    if (found[name] === value) continue;
    const setting = name === 'current_schema' ? 'search_path' : name;
    throw new StartError(
      `The database at ${where} has ${name} ${found[name]}, and Time Capsule needs ${value}. Reset ${setting} of the role and of the database (alter role … reset ${setting}), and restart the pooler if there is one.`,
    );
  }
}
