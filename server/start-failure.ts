import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

/** Why the server did not start, as the one line that its operator reads. */
export function describeStartFailure(
  error: unknown,
  config: Pick<Config, 'host' | 'port' | 'dataDir'> | null,
): string {
  if (error instanceof StartError) return error.message;
  if (!(error instanceof Error)) return `Time Capsule cannot start: ${oneLine(String(error))}`;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (config && (syscall === 'listen' || syscall === 'getaddrinfo')) {
    return describeListenFailure(code, error, config);
  }
  if (config && code === 'ENOSPC') {
    return `There is no space left on the disk of ${config.dataDir}. Free some and start again.`;
  }
  return `Time Capsule cannot start: ${oneLine(error.message)}`;
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
