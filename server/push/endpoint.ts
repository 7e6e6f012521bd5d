import { BlockList, isIP } from 'node:net';

/** Of Chromium, Firefox, Safari and Edge. A dot in front stands for all below it. */
const KNOWN_HOSTS = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '.updates.push.services.mozilla.com',
  '.push.apple.com',
  '.notify.windows.com',
];

/** Whether this may be the address of a push service: otherwise anybody could make the server call any address. */
export function isPushEndpoint(endpoint: string, moreHosts: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, host, username, password, href } = new URL(endpoint);
  // Written exactly so: one browser has one address.
  if (protocol !== 'https:' || username !== '' || password !== '' || href !== endpoint)
    return false;
  const isKnown = KNOWN_HOSTS.some((known) =>
    known.startsWith('.') ? host.endsWith(known) : host === known,
  );
  return isKnown || moreHosts.includes(host);
}

const privateV4 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  privateV4.addSubnet(network, prefix, 'ipv4');
}
/** Apart, because a list of both takes every IPv4 address for one of IPv6 as well. */
const privateV6 = new BlockList();
// Of IPv6, only 2000::/3 is public; addresses that translate to IPv4 lie outside, or in 2002::/16.
for (const [network, prefix] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const) {
  privateV6.addSubnet(network, prefix, 'ipv6');
}

/** Whether an address is within a machine or a local network. */
export function isPrivateAddress(address: string): boolean {
  return isIP(address) === 6 ? privateV6.check(address, 'ipv6') : privateV4.check(address, 'ipv4');
}
