import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  type PrecacheEntry,
  precacheAndRoute,
} from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { identify } from '../api/client.ts';
import { CallError } from '../api/errors.ts';
import { firstSignal } from '../api/first-signal.ts';
import { CONTRIBUTORS } from '../db/contributions.ts';
import { closeDatabase, openDatabase } from '../db/database.ts';
import { readSession } from '../db/device.ts';
import { outboxQueue } from '../sync/drain.ts';
import { finishSignOut } from '../sync/finish-sign-out.ts';
import { ADDING, OUTBOX } from '../sync/locks.ts';
import { runQueue } from '../sync/queue.ts';
import { contributionQueue } from '../sync/send-contributions.ts';
import { openFromPush, showPush } from './push.ts';
import { receiveShare, SHARE_PATH } from './share.ts';
import { withAddedDatabase, withPersonsDatabase } from './turns.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] };

/** Paths that the server answers itself: never the app's page, and never from a cache. */
const SERVER_PATHS = [
  /^\/api(\/|$)/,
  /^\/uploads(\/|$)/,
  /^\/user(\/|$)/,
  /^\/community(\/|$)/,
  /^\/auth\/(validate-token|invitation|oidc(\/callback)?)$/,
  /^\/(healthz|readyz)$/,
  /^\/\.well-known\//,
  /\.[a-z0-9]+$/i,
];

/*
 * The event table.
 *
 *   install      cache the shell (the page, its code, styles and fonts); tell the browser
 *                which calls go past the worker
 *   activate     delete the shells of older versions, take control of pages without a worker
 *   fetch        navigations and the shell's own files come from the cache; everything else
 *                goes to the network untouched, so that no private answer and no file's bytes
 *                enter a cache, and uploads report their progress; what is shared with the
 *                app waits in a draft until the person adds it
 *   message      SKIP_WAITING, sent when the person accepts a new version
 *   sync         the connection is back: finish a sign-out that was begun offline, send the
 *                outbox with or without a page; or send what is added without an account
 *   push         a capsule has opened: say it
 *   notificationclick  show the dashboard
 */

precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
// Only the path is compared: a query may end like a file's name, as a search for an address does.
registerRoute(
  ({ request, url, sameOrigin }) =>
    request.mode === 'navigate' &&
    sameOrigin &&
    !SERVER_PATHS.some((path) => path.test(url.pathname)),
  createHandlerBoundToURL('/index.html'),
);

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === SHARE_PATH,
  ({ request }) => withPersonsDatabase(() => receiveShare(request)),
  'POST',
);

/** Not in TypeScript's library: only Chromium has it. */
interface RoutingEvent extends ExtendableEvent {
  addRoutes?: (routes: { condition: object; source: 'network' }[]) => Promise<void>;
}

/** Calls that need not wake the worker. They would also keep an old worker from being replaced. */
const CALLS = ['/api/*', '/user/*', '/community/*', '/uploads/*'].map((pathname) => ({
  condition: { urlPattern: { pathname } },
  source: 'network' as const,
}));

self.addEventListener('install', (event) => {
  const { addRoutes } = event as RoutingEvent;
  // A browser that does not know these conditions installs the worker all the same.
  if (addRoutes) event.waitUntil(addRoutes.call(event, CALLS).catch(() => undefined));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting();
});

/** Not in TypeScript's library: only Chromium has Background Sync. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

/** The browser ends a sync event after about 3 minutes. An upload that is cut off is resumed later. */
const SYNC_DEADLINE_MS = 150_000;

self.addEventListener('sync', (event) => {
  const sync = event as SyncEvent;
  if (sync.tag === OUTBOX) sync.waitUntil(withPersonsDatabase(onConnection));
  if (sync.tag === ADDING) sync.waitUntil(withAddedDatabase(sendAdded));
});

self.addEventListener('push', (event) => event.waitUntil(showPush(event.data)));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openFromPush());
});

/** @throws when something is left, so that the browser wakes us again */
async function onConnection(): Promise<void> {
  const { signOut } = await readSession();
  if (signOut) await finishSignOut(signOut);
  const signal = AbortSignal.timeout(SYNC_DEADLINE_MS);
  const userId = await whoIsSignedIn(signal);
  if (userId === null) return;
  // The queue of the person whose cookie this is, and of nobody else.
  await openDatabase(userId);
  // An open page that is sending goes first; it may be closed before it is done.
  const next = await runQueue(outboxQueue(), { signal, waitForTurn: true });
  if (next !== null) throw new Error('Some capsules have not left yet.');
}

async function whoIsSignedIn(signal: AbortSignal): Promise<string | null> {
  try {
    return (await identify(signal)).user.id;
  } catch (error) {
    if (error instanceof CallError && error.status === 401) return null;
    throw error;
  }
}

/** What is added without an account. @throws when something is left */
async function sendAdded(interrupted: AbortSignal): Promise<void> {
  const signal = firstSignal(interrupted, AbortSignal.timeout(SYNC_DEADLINE_MS));
  await openDatabase(CONTRIBUTORS);
  try {
    const next = await runQueue(contributionQueue, { signal, waitForTurn: true });
    if (next !== null) throw new Error('Some of what was added has not left yet.');
  } finally {
    closeDatabase();
  }
}
