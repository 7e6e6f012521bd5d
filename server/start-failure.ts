import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

/** What PostgreSQL says of a table or a column that is not there. */
const UNKNOWN_TO_DATABASE = new Set(['42P01', '42703']);

/** What the driver and PostgreSQL say of one that ends, perhaps with the process that had started it. */
const DATABASE_LEFT = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNRESET',
  'EPIPE',
  '57P01',
  '57P03',
]);

/**
 * Why the server did not start, or why a command was not done, as the one line that its operator
 * reads. @param config null for a command
 */
export function describeStartFailure(
  error: unknown,
  config: Pick<Config, 'host' | 'port' | 'dataDir'> | null,
): string {
  if (error instanceof StartError) return error.message;
  const outcome = config ? 'Time Capsule cannot start' : 'This could not be done';
  if (!(error instanceof Error)) return `${outcome}: ${oneLine(String(error))}`;
  // The message of a failed query is the query itself.
  if ('query' in error && error.cause) return describeStartFailure(error.cause, config);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (!config && code && UNKNOWN_TO_DATABASE.has(code)) {
    return 'The database is of an earlier version of Time Capsule. Start the server of this version once, and try again.';
  }
  if (config && (syscall === 'listen' || syscall === 'getaddrinfo')) {
    return describeListenFailure(code, error, config);
  }
  if (code && DATABASE_LEFT.has(code)) {
    return `${outcome}: the database was stopped or started meanwhile. Try again.`;
  }
  if (config && code === 'ENOSPC') {
    return `There is no space left on the disk of ${config.dataDir}. Free some and start again.`;
  }
  return `${outcome}: ${oneLine(error.message)}`;
}

function describeListenFailure(
  code: string | undefined,
  error: Error,
  { host, port }: Pick<Config, 'host' | 'port'>,
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use by another program. Stop it, or set PORT to another number.`;
    case 'EACCES':
      return `Port ${port} may not be opened by this user. Set PORT to a number above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST is not usable: "${host}" is not an address of this machine.`;
    default:
      return `The server cannot listen on ${host}:${port}: ${oneLine(error.message)}`;
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
