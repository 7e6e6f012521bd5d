/** Error codes of Node and postgres.js without a connection, for want of a descriptor too. */
const CONNECTION_CODES = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETUNREACH',
  'ENFILE',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * SQLSTATEs of a server that is starting, stopping or full, or a standby that takes no writes
 * (25006), yet or any more. Class 08 (connection exceptions) counts as a whole.
 */
const SERVER_STATES = new Set(['57P01', '57P02', '57P03', '53300', '25006']);

/** A timeout, a deadlock or a serialization failure: the next try may succeed. */
const BUSY_STATES = new Set(['57014', '40P01', '40001', '55P03']);

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const DISK_FULL = '53100';

/**
 * True when a database call failed because there is no database to talk to: the call may
 * be tried again later. Ask it about errors of database calls only; other services
 * refuse connections with the same codes.
 */
export function isDatabaseAway(error: unknown): boolean {
  return chain(error).some(({ code, syscall }) => {
    if (typeof code !== 'string') return false;
    // ENOENT of `connect` is a missing unix socket. Of any other call it is a missing file.
    if (code === 'ENOENT') return syscall === 'connect';
    return CONNECTION_CODES.has(code) || SERVER_STATES.has(code) || /^08[0-9A-Z]{3}$/.test(code);
  });
}

/** True if the database gave up on a statement that may succeed when repeated. */
export function isDatabaseBusy(error: unknown): boolean {
  return chain(error).some(({ code }) => typeof code === 'string' && BUSY_STATES.has(code));
}

/** True when the database could not write because its disk is full. */
export function isDatabaseFull(error: unknown): boolean {
  return chain(error).some(({ code }) => code === DISK_FULL);
}

/**
 * True for errors that postgres.js leaves unhandled when a connection ends at the wrong moment: a
 * query of its own, or a write to the closed socket. Callers get their own errors, and the pool
 * reconnects.
 */
export function isEscapedByDriver(error: unknown): boolean {
  if (isDatabaseAway(error)) return true;
  const origin = error instanceof TypeError ? error.stack?.split('\n')[1] : undefined;
  return /nextWrite .*[\\/]postgres[\\/](src|cjs[\\/]src)[\\/]connection\.js/.test(origin ?? '');
}

/** The name of the constraint or unique index that refused a row, or null for any other error. */
export function uniqueViolation(error: unknown): string | null {
  const violation = chain(error).find(({ code }) => code === UNIQUE_VIOLATION);
  return typeof violation?.constraint_name === 'string' ? violation.constraint_name : null;
}

/** True if a row was refused because the row it refers to is gone. */
export function isForeignKeyViolation(error: unknown): boolean {
  return chain(error).some(({ code }) => code === FOREIGN_KEY_VIOLATION);
}

/** The error and its causes: drizzle wraps what the driver threw. */
function chain(error: unknown): Record<string, unknown>[] {
  const links: Record<string, unknown>[] = [];
  let link = error;
  while (typeof link === 'object' && link !== null && links.length < 5) {
    links.push(link as Record<string, unknown>);
    link = (link as { cause?: unknown }).cause;
  }
  return links;
}
