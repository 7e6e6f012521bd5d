import { lookup } from 'node:dns';
import { Agent, request } from 'node:https';
import type { LookupFunction } from 'node:net';
import webPush from 'web-push';
import type { Config } from '../config.ts';
import { isPrivateAddress } from './endpoint.ts';
import type { PushOutcome, PushSender } from './push-sender.ts';

/** How long a service keeps a message for a device that is off: the longest that all of them allow. */
const KEPT_SECONDS = 28 * 86_400;
const ANSWER_MAX_MS = 15_000;
/** A later message about openings replaces one that was not delivered yet. */
const TOPIC = 'opened';

type SenderConfig = Pick<Config, 'appUrl' | 'contact' | 'pushHosts'>;

/** @param ca the authority that the services' certificates are signed by, for tests */
export function createPushSender(config: SenderConfig, ca?: Buffer): PushSender {
  const { appUrl, contact, pushHosts } = config;
  const subject = appUrl.startsWith('https:') ? appUrl : `mailto:${contact.email}`;
  const guarded = new Agent({ keepAlive: true, lookup: lookupPublic, ca });
  // Whoever runs the server has named these hosts, wherever they are.
  const named = new Agent({ keepAlive: true, ca });

  return {
    createKeys: () => webPush.generateVAPIDKeys(),
    send({ target: { endpoint, p256dh, auth }, keys, payload }) {
      const subscription = { endpoint, keys: { p256dh, auth } };
      const { headers, body } = webPush.generateRequestDetails(subscription, payload, {
        TTL: KEPT_SECONDS,
        topic: TOPIC,
        vapidDetails: { subject, ...keys },
      });
      const { host, hostname } = new URL(endpoint);
      // The type of a message that a browser can show without a worker. Windows takes bytes only.
      if (!hostname.endsWith('.notify.windows.com')) {
        headers['Content-Type'] = 'application/notification+json';
      }
      const agent = pushHosts.includes(host) ? named : guarded;
      return post(endpoint, { headers, body, agent });
    },
  };
}

/** Redirects are not followed, and of the answer only its head is read. */
function post(
  endpoint: string,
  { headers, body, agent }: { headers: Record<string, string>; body: Buffer; agent: Agent },
): Promise<PushOutcome> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(ANSWER_MAX_MS);
    const sending = request(endpoint, { method: 'POST', headers, agent, signal }, (answer) => {
      answer.on('error', () => {}).resume();
      const { statusCode: status = 0 } = answer;
      if (status >= 200 && status < 300) resolve('taken');
      else if (status === 404 || status === 410) resolve('gone');
      else {
        const seconds = Number(answer.headers['retry-after']);
        resolve({ status, retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : 0 });
      }
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

/** As the system's lookup, but a name that leads into a local network is none. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const addresses = error ? [] : found.filter(({ address }) => !isPrivateAddress(address));
    const [first] = addresses;
    if (!first) return callback(error ?? new Error(`${hostname} has no public address.`), '', 0);
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
