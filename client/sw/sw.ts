import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  type PrecacheEntry,
  precacheAndRoute,
} from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { identify } from '../api/client.ts';
import { CallError } from '../api/errors.ts';
import { openDatabase } from '../db/database.ts';
import { readSession } from '../db/device.ts';
import { refreshBadge, setBadge } from '../sync/badge.ts';
import { drain } from '../sync/drain.ts';
import { finishSignOut } from '../sync/finish-sign-out.ts';
import { SYNC_TAG } from '../sync/locks.ts';
import { receiveShare, SHARE_PATH } from './share.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] };

/** Paths that the server answers itself: never the app's page, and never from a cache. */
const SERVER_PATHS = [
  /^\/api(\/|$)/,
  /^\/uploads(\/|$)/,
  /^\/user(\/|$)/,
  /^\/community(\/|$)/,
  /^\/auth\/validate-token$/,
  /^\/(healthz|readyz)$/,
  /^\/\.well-known\//,
  /\.[a-z0-9]+$/i,
];

/*
 * The event table.
 *
 *   install      keep the shell: the page, its code, styles and fonts; say which calls are
 *                none of the worker's
 *   activate     drop the shells of older versions, take over pages that have none
 *   fetch        navigations → the kept page; the shell's own files → the kept ones;
 *                everything else goes to the network untouched, so no private answer
 *                and no file's bytes ever enter a cache, and uploads keep their progress;
 *                what is shared with the app becomes a draft
 *   message      SKIP_WAITING, sent when the person accepts a new version
 *   sync         a connection after none: end a session that was left offline, then send
 *                what the outbox holds, page or no page; the number on the app's icon too
 */

precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
// By the path alone: what is searched for, an address perhaps, may end like a file's name.
registerRoute(
  ({ request, url, sameOrigin }) =>
    request.mode === 'navigate' &&
    sameOrigin &&
    !SERVER_PATHS.some((path) => path.test(url.pathname)),
  createHandlerBoundToURL('/index.html'),
);

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === SHARE_PATH,
  ({ request }) => receiveShare(request),
  'POST',
);

/** Not in TypeScript's library: only Chromium has it. */
interface RoutingEvent extends ExtendableEvent {
  addRoutes?: (routes: { condition: object; source: 'network' }[]) => Promise<void>;
}

/** Calls that need not even wake the worker; nor keep an old one awake that is to go. */
const CALLS = ['/api/*', '/user/*', '/community/*', '/uploads/*'].map((pathname) => ({
  condition: { urlPattern: { pathname } },
  source: 'network' as const,
}));

self.addEventListener('install', (event) => {
  const { addRoutes } = event as RoutingEvent;
  // A browser that knows other conditions than these goes on as if there were none.
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

/** The browser ends a sync event after about 3 minutes; what is under way then goes on from there. */
const SYNC_DEADLINE_MS = 150_000;
/** Of what is left after that. */
const BADGE_DEADLINE_MS = 10_000;

self.addEventListener('sync', (event) => {
  const sync = event as SyncEvent;
  if (sync.tag === SYNC_TAG) sync.waitUntil(onConnection());
});

/** @throws when something is left, so that the browser wakes us again */
async function onConnection(): Promise<void> {
  const { signOut } = await readSession();
  if (signOut) await finishSignOut(signOut);
  const signal = AbortSignal.timeout(SYNC_DEADLINE_MS);
  const userId = await whoIsSignedIn(signal);
  if (userId === null) {
    setBadge(0);
    return;
  }
  // The queue of the person whose cookie this is, and of nobody else.
  await openDatabase(userId);
  try {
    await sendOutbox(signal);
  } finally {
    // Awake anyway, it looks whether something has opened.
    await refreshBadge(AbortSignal.timeout(BADGE_DEADLINE_MS)).catch(() => undefined);
  }
}

async function whoIsSignedIn(signal: AbortSignal): Promise<string | null> {
  try {
    return (await identify(signal)).user.id;
  } catch (error) {
    if (error instanceof CallError && error.status === 401) return null;
    throw error;
  }
}

/** @throws when something is left */
async function sendOutbox(signal: AbortSignal): Promise<void> {
  // An open page that is sending goes first; it may be closed before it is done.
  const next = await drain({ signal, waitForTurn: true });
  if (next !== null) throw new Error('Some capsules have not left yet.');
}
