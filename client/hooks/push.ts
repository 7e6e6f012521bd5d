import { getPushKey, removeSubscription, saveSubscription } from '../../shared/api/push.ts';
import { call } from '../api/client.ts';
import { deviceStorage } from '../db/web-storage.ts';
import { createExternalStore, useExternalStore } from './store.ts';
import { useUserId } from './use-user-id.ts';

/** Who has turned push on in this browser. */
const OWNER_KEY = 'push';

const push = createExternalStore({
  owner: deviceStorage.read(OWNER_KEY),
  permission: readPermission(),
});

/** The browser's process is asked while the page waits: not at every rendering. */
function readPermission(): NotificationPermission {
  return isSupported() ? Notification.permission : 'default';
}

// The person may have changed it meanwhile, in the browser's settings.
document.addEventListener('visibilitychange', () => push.set({ permission: readPermission() }));

/** `blocked`: the person has told the browser to let this site show nothing. */
export type PushState = 'on' | 'off' | 'blocked' | 'unsupported';

/** Whether this browser tells the person who is signed in. */
export function usePush(): PushState {
  const userId = useUserId();
  const { owner, permission } = useExternalStore(push);
  return stateFor(permission, owner !== null && owner === userId);
}

function stateFor(permission: NotificationPermission, isOn: boolean): PushState {
  if (!isSupported()) return 'unsupported';
  if (permission === 'denied') return 'blocked';
  // A browser can withdraw its permission by itself, and ends the subscription with it.
  return isOn && permission === 'granted' ? 'on' : 'off';
}

/** Safari on iPhone and iPad has push only for apps on the home screen. */
function isSupported(): boolean {
  return 'PushManager' in window && 'Notification' in window && 'serviceWorker' in navigator;
}

/**
 * Asks the browser, which asks the person: only a press may lead here.
 * @throws when the browser or the server could not be subscribed
 */
export async function turnOnPush(userId: string): Promise<void> {
  const permission = await Notification.requestPermission();
  if (permission === 'granted') {
    await subscribeHere();
    noteOwner(userId);
  } else {
    // The person has answered the browser's question just now, perhaps for good.
    noteOwner(null);
  }
}

/** @throws {CallError} when the server could not be told; the browser shows nothing any more all the same */
export async function turnOffPush(): Promise<void> {
  const endpoint = await forgetPush();
  if (endpoint !== null) await call(removeSubscription, { body: { endpoint } });
}

/**
 * At each start: subscriptions get lost, and keys change. A subscription of somebody else, whose
 * session has ended by itself, ends now.
 * @throws when the browser or the server could not be subscribed
 */
export async function renewPush(userId: string): Promise<void> {
  const { owner } = push.get();
  if (owner === null || !isSupported()) return;
  if (owner !== userId) await forgetPush();
  else if (Notification.permission === 'granted') await subscribeHere();
}

/** Ends the subscription in this browser, without the server. @returns its endpoint; null for none */
export async function forgetPush(): Promise<string | null> {
  const registration = await navigator.serviceWorker?.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
  // Last: what could not be ended is ended at the next start.
  noteOwner(null);
  return subscription?.endpoint ?? null;
}

/**
 * Subscribes this browser to the server's messages, and tells the server; also where it already is
 * subscribed.
 */
async function subscribeHere(): Promise<void> {
  if (!(await navigator.serviceWorker.getRegistration())) throw new Error('There is no worker.');
  const { pushManager } = await navigator.serviceWorker.ready;
  const { publicKey } = await call(getPushKey);
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
  await call(saveSubscription, { body: { endpoint, keys: { p256dh, auth } } });
}

function noteOwner(owner: string | null): void {
  deviceStorage.write(OWNER_KEY, owner);
  push.set({ owner, permission: readPermission() });
}
