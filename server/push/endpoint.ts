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
