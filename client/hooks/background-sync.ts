/** Whether this browser sends what is queued with the app closed: Chromium does, Safari and Firefox do not. */
export const SENDS_WHEN_CLOSED =
  'ServiceWorkerRegistration' in globalThis && 'sync' in ServiceWorkerRegistration.prototype;
