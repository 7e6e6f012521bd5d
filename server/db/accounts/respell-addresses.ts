import { type SQL, sql } from 'drizzle-orm';
import { normalizeEmail } from '../../../shared/api/fields.ts';
import type { Queryable } from '../open.ts';

/**
 * Columns with addresses that are compared with what somebody types. Those of `users` are unique.
 */
const COLUMNS = [
  ['users', 'email'],
  ['users', 'second_email'],
  ['account_changes', 'new_address'],
  ['account_changes', 'previous_main'],
  ['account_changes', 'previous_second'],
  ['account_changes', 'sent_to'],
  ['link_tokens', 'sent_to'],
] as const;

/**
 * Writes stored addresses as `normalizeEmail` does now: earlier versions stored domains as they were
 * typed, as `bücher.example` or as `xn--bcher-kva.example`. @returns how many stayed as they are,
 * because there is an account of the other spelling as well
 */
export async function respellAddresses(db: Queryable): Promise<number> {
  let doubles = 0;
  for (const [tableName, columnName] of COLUMNS) {
    const [table, column] = [sql.identifier(tableName), sql.identifier(columnName)];
    const isSpelled = sql`octet_length(${column}) > char_length(${column})`;
    const rows = await db.execute<{ old: string }>(
      sql`select distinct ${column} as old from ${table} where ${isSpelled}`,
    );
    for (const { old } of rows) {
      const email = normalizeEmail(old);
      if (email === old) continue;
      const isFree: SQL =
        tableName === 'users'
          ? sql`not exists (select 1 from users where ${column} = ${email})`
          : sql`true`;
      const { count } = await db.execute(
        sql`update ${table} set ${column} = ${email} where ${column} = ${old} and ${isFree}`,
      );
      if (count === 0) doubles += 1;
    }
  }
  return doubles;
}
