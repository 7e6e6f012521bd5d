import { PUSH_BODY, PUSH_TITLE, pushPayloadSchema } from '../../shared/push-payload.ts';

declare const self: ServiceWorkerGlobalScope;

const DASHBOARD = '/dashboard';

/**
 * Shows what the server has sent. What is not understood is shown as well: a browser ends
 * subscriptions that show nothing.
 */
export async function showPush(data: PushMessageData | null): Promise<void> {
  const { title = PUSH_TITLE, ...options } = read(data)?.notification ?? { body: PUSH_BODY };
  await self.registration.showNotification(title, {
    tag: 'opened',
    icon: '/icon-192.png',
    badge: '/icon-monochrome-512.png',
    ...options,
  });
}

function read(data: PushMessageData | null) {
  try {
    return pushPayloadSchema.safeParse(data?.json()).data;
  } catch {
    return undefined;
  }
}

/** A press on a notification: to the dashboard, where what has opened stands first. */
export async function openFromPush(): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window' });
  const open = pages.find(({ url }) => new URL(url).pathname === DASHBOARD);
  await (open ? open.focus() : self.clients.openWindow(DASHBOARD));
}
