import { isIPv6 } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { AppContext } from './context.ts';

/**
 * The client's address, for rate limits. Forwarded headers count only as far as trusted proxies
 * wrote them. IPv6 addresses are cut to their first 64 bits, because one household has all the
 * others.
 */
export function clientAddress(c: AppContext, trustedProxies: number): string {
  const peer = getConnInfo(c).remote.address ?? 'unknown';
  const forwarded = c.req.header('x-forwarded-for')?.split(',') ?? [];
  const address = trustedProxies > 0 ? forwarded.at(-trustedProxies)?.trim() || peer : peer;
  return clientOf(address);
}

/** @returns the address, or the network of one of IPv6 */
export function clientOf(address: string): string {
  return isIPv6(address) && !address.startsWith('::ffff:') ? network64(address) : address;
}

function network64(address: string): string {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')}::/64`;
}
