import { getPushKey, saveSubscription } from '../../shared/api/push.ts';
import { call } from '../api/client.ts';

/**
 * Subscribes this browser to the server's messages, and tells the server; also where it already is
 * subscribed. Used by pages and by the worker.
 * @param session of the worker, which cannot read the cookie of the XSRF token
 * @throws when the browser or the server could not be subscribed
 */
export async function subscribe(
  pushManager: PushManager,
  session: { xsrf?: string; signal?: AbortSignal } = {},
): Promise<void> {
  const { publicKey } = await call(getPushKey, session);
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscription = await pushManager.subscribe(options).catch(async (error: unknown) => {
    // It refuses another key of the server while it has a subscription with the one before.
    const former = await pushManager.getSubscription();
    if (!former) throw error;
    await former.unsubscribe();
    return pushManager.subscribe(options);
  });
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {};
  const { endpoint } = subscription;
  await call(saveSubscription, { ...session, body: { endpoint, keys: { p256dh, auth } } });
}
