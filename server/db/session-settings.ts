/** Settings that PgBouncer takes from a client, and gives to each session that it lends. */
export const KNOWN_TO_POOLERS = {
  DateStyle: 'ISO, MDY',
  TimeZone: 'UTC',
  standard_conforming_strings: 'on',
};

/** Settings that PgBouncer refuses, by which a statement would do something else. */
export const OTHERS = {
  IntervalStyle: 'postgres',
  array_nulls: 'on',
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  exit_on_error: 'off',
  gin_fuzzy_search_limit: '0',
  row_security: 'on',
  transform_null_equals: 'off',
};

/** A provider may have put pg_trgm into one of the others, of which most databases have none. */
const SCHEMAS = 'public, extensions, heroku_ext';

/** Behind a pooler, its operator decides. */
const UNCHECKED = {
  extra_float_digits: '1',
  search_path: SCHEMAS,
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
};

/**
 * What the driver and our statements rely on, for a session of our own: a role or a database may have
 * other settings, which other programs want. Not `default_transaction_read_only`, by which providers
 * save a database whose disk is nearly full.
 */
export function sessionSettings({ isPooled }: { isPooled: boolean }): Record<string, string> {
  return isPooled ? KNOWN_TO_POOLERS : { ...KNOWN_TO_POOLERS, ...OTHERS, ...UNCHECKED };
}
