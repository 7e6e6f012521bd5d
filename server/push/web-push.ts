import { Agent, request } from 'node:https';
import webPush from 'web-push';
import type { Config } from '../config.ts';
import type { PushOutcome, PushSender } from './push-sender.ts';

/** How long a service keeps a message for a device that is off: the longest that all of them allow. */
const KEPT_SECONDS = 28 * 86_400;
const ANSWER_MAX_MS = 15_000;
/** A later message about openings replaces one that was not delivered yet. */
const TOPIC = 'opened';

type SenderConfig = Pick<Config, 'appUrl' | 'contact'>;

/** @param ca the authority that the services' certificates are signed by, for tests */
export function createPushSender(config: SenderConfig, ca?: Buffer): PushSender {
  const { appUrl, contact } = config;
  const subject = appUrl.startsWith('https:') ? appUrl : `mailto:${contact.email}`;
  const agent = new Agent({ keepAlive: true, ca });

  return {
    createKeys: () => webPush.generateVAPIDKeys(),
    send({ target: { endpoint, p256dh, auth }, keys, payload }) {
      const subscription = { endpoint, keys: { p256dh, auth } };
      const { headers, body } = webPush.generateRequestDetails(subscription, payload, {
        TTL: KEPT_SECONDS,
        topic: TOPIC,
        vapidDetails: { subject, ...keys },
      });
      // The type of a message that a browser can show without a worker. Windows takes bytes only.
      if (!new URL(endpoint).hostname.endsWith('.notify.windows.com')) {
        headers['Content-Type'] = 'application/notification+json';
      }
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
