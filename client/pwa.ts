import { whenIdle } from './state/when-idle.ts';

/**
 * What the page needs no sooner than once it has loaded, so that it does not compete with the
 * first view: our faces, the worker, new versions, a sign-out that the server has not heard of.
 */
export function startBehindThePage(): void {
  // What does not come comes with the next start.
  whenIdle(() => {
    import('./pwa-worker.ts').then(({ startWorker }) => startWorker()).catch(() => undefined);
  });
}
