/**
 * What the page needs no sooner than once it has loaded, so that it does not compete with the
 * first view: the worker, new versions, a sign-out that the server has not heard of.
 */
export function startBehindThePage(): void {
  // The page's scripts run before this event. What does not come comes with the next start.
  window.addEventListener('load', () => {
    import('./pwa-worker.ts').then(({ startWorker }) => startWorker()).catch(() => undefined);
  });
}
