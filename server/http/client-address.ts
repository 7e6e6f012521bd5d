import { isIPv4, isIPv6 } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { AppContext } from './context.ts';

/**
 * The client's address, for rate limits. Forwarded headers count only as far as trusted proxies
 * wrote them.
 */
export function clientAddress(c: AppContext, trustedProxies: number): string {
  const forwarded = c.req.header('x-forwarded-for')?.split(',') ?? [];
  const named = trustedProxies > 0 ? forwarded.at(-trustedProxies) : undefined;
  const peer = getConnInfo(c).remote.address;
  return clientOf(named ?? '') ?? clientOf(peer ?? '') ?? 'unknown';
}

/** The longest way to write an address, with brackets, a zone and a port. */
const ADDRESS_MAX = 100;

/**
 * One name for a client, however its address is written: some proxies add the port, and an IPv4
 * address may come inside one of IPv6. Of IPv6 only the first 64 bits count, because one household
 * has all the others. @returns null for what is no address
 */
export function clientOf(text: string): string | null {
  if (text.length > ADDRESS_MAX) return null;
  const address = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '');
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return null;
  const groups = groupsOf(address);
  const prefix = groups.slice(0, 6).join(':');
  if (prefix === MAPPED || prefix === TRANSLATED) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The network of a client: of IPv6 the first 48 bits, in which one customer has many names for clients. */
export function networkOf(client: string): string {
  return client.replace(/:[^:]*::\/64$/, '::/48');
}

/** Prefixes of IPv4 addresses inside IPv6, for sockets of both kinds and for NAT64 (RFC 4291, 6052). */
const MAPPED = [0, 0, 0, 0, 0, 0xffff].join(':');
const TRANSLATED = [0x64, 0xff9b, 0, 0, 0, 0].join(':');

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  // Without dots and upper case, as addresses of pages are written.
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [left = [], right] = plain
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16))));
  if (!right) return left;
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}
