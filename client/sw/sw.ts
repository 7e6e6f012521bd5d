import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  type PrecacheEntry,
  precacheAndRoute,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] };

/** What the server answers itself: never the app's page, and never from a cache. */
const SERVER_PATHS = [
  /^\/api(\/|$)/,
  /^\/uploads(\/|$)/,
  /^\/user(\/|$)/,
  /^\/community(\/|$)/,
  /^\/auth\/validate-token$/,
  /^\/(healthz|readyz)$/,
  /\.[a-z0-9]+$/i,
];

/*
 * The event table.
 *
 *   install      keep the shell: the page, its code, styles and fonts
 *   activate     drop the shells of older versions, take over pages that have none
 *   fetch        navigations → the kept page; the shell's own files → the kept ones;
 *                everything else goes to the network untouched, so no private answer
 *                and no file's bytes ever enter a cache, and uploads keep their progress
 *   message      SKIP_WAITING, sent when the person accepts a new version
 */
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: SERVER_PATHS }),
);

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting();
});
