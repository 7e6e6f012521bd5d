import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  type PrecacheEntry,
  precacheAndRoute,
} from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { beforeCalls } from '../http/session-gate.ts';
import { readOwner } from '../local/owner.ts';
import { refreshBadge } from '../sync/badge.ts';
import { drain } from '../sync/drain.ts';
import { setBadge } from '../sync/set-badge.ts';
import { settleSignOut } from '../sync/settle-sign-out.ts';
import { SYNC_TAG } from '../sync/sync-tag.ts';
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
beforeCalls(settleSignOut);

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
  await settleSignOut();
  try {
    await sendOutbox();
  } finally {
    await renewBadge().catch(() => undefined);
  }
}

/** Awake anyway, it looks whether something has opened. */
async function renewBadge(): Promise<void> {
  const owner = await readOwner();
  if (owner === null) setBadge(0);
  else await refreshBadge(owner, AbortSignal.timeout(BADGE_DEADLINE_MS));
}

/** @throws when something is left */
async function sendOutbox(): Promise<void> {
  const signal = AbortSignal.timeout(SYNC_DEADLINE_MS);
  // An open page that is sending goes first; it may be closed before it is done.
  const next = await drain({ signal, waitForTurn: true });
  if (next !== null) throw new Error('Some capsules have not left yet.');
}
