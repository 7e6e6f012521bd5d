import { z } from 'zod';

/*
 * Addresses in the environment. They may hold a password, so what is wrong with one is said without
 * showing it; and characters that belong to an address have to be written as %40 and the like in it,
 * or a part of the password is taken for the host.
 */

/** The word in the query of an address for those who want no encryption: `?tls=optional`. */
const TLS = 'tls';

export const MALFORMED =
  'must be an address in which / ? # @ % and spaces of user and password are written as %2F %3F %23 %40 %25 %20, and ports are numbers';

/** @param schemes `https` for `https://…` */
export function address(...schemes: [string, ...string[]]) {
  // Not `new URL`: postgres.js takes several hosts, `postgres://a:5432,b:5432/name`.
  const pattern = new RegExp(`^(${schemes.join('|')})://[^/]`);
  const error = `must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  return z.string().regex(pattern, { error, abort: true });
}

/** The same with a user and a password in it. */
export function addressWithUser(...schemes: [string, ...string[]]) {
  return address(...schemes).refine(isWellFormed, {
    error: MALFORMED,
    abort: true,
  });
}

/** The same for what has its user and password in variables of their own, or none. */
export function addressWithoutUser(...schemes: [string, ...string[]]) {
  return address(...schemes)
    .refine((value) => !value.includes('@'), {
      error: 'must be an address without user and password',
      abort: true,
    })
    .refine((value) => URL.canParse(value), { error: 'must be a well-formed address' });
}

export function isWellFormed(value: string): boolean {
  const [, rest = ''] = value.split(/:\/\/(.*)/s);
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  const behind = rest.slice(authority.length);
  // An @ behind the host, where none is before it, ends a password with one of / ? #.
  if (behind.includes('@') && !authority.includes('@')) return false;
  const [user, hosts] = splitLast(authority, '@');
  if (user.includes('@') || /\s/.test(rest)) return false;
  if (!canDecode(user) || !canDecode(behind.split('?')[0] ?? '')) return false;
  const scheme = value.slice(0, value.indexOf('://'));
  return hosts.split(',').every((host) => URL.canParse(`${scheme}://${host}`));
}

function splitLast(text: string, mark: string): [before: string, after: string] {
  const at = text.lastIndexOf(mark);
  return at < 0 ? ['', text] : [text.slice(0, at), text.slice(at + 1)];
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export function isMailbox(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username !== '' && password !== '';
}

export function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return `${url.pathname}${url.search}${url.hash}${url.username}` === '/';
}

/** Whether what is sent there never leaves this machine. */
export function isThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host);
}

/** The hosts of an address; none for that of a socket. */
export function hostsOf(value: string): string[] {
  const authority = /:\/\/([^/?#]*)/.exec(value)?.[1] ?? '';
  const [, hosts] = splitLast(authority, '@');
  return hosts
    .split(',')
    .map((host) => host.replace(/:\d*$/, ''))
    .filter((host) => host !== '');
}

/** Ports on which mail servers speak TLS from the first byte, whatever scheme is written (RFC 8314). */
const TLS_PORTS = ['465', '993'];

/**
 * The address of a mail server, and whether it must be spoken to through TLS: wherever a password
 * would leave this machine, unless the address says `?tls=optional`.
 */
export function mailAddressOf(value: string): { url: URL; requireTls: boolean } {
  const url = new URL(value);
  if (TLS_PORTS.includes(url.port)) url.protocol = url.protocol.replace(/s?:$/, 's:');
  const isOptional = url.searchParams.get(TLS) === 'optional';
  url.searchParams.delete(TLS);
  const hasPassword = url.username !== '' || url.password !== '';
  return { url, requireTls: hasPassword && !isOptional && !isThisMachine(url.hostname) };
}

/** Whether the word about TLS, if there is one, is one that we know. */
export function hasKnownTls(value: string): boolean {
  const said = URL.canParse(value) ? new URL(value).searchParams.get(TLS) : null;
  return said === null || said === 'optional';
}
