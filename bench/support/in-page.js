// Runs in every page of the bench, before the page's own scripts.

/** Resolves with the time at which the first frame with `isDone()` was painted. */
globalThis.benchPainted = (isDone) =>
  new Promise((resolve) => {
    const painted = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    const look = () => {
      if (!isDone()) return;
      observer.disconnect();
      painted();
    };
    const observer = new MutationObserver(look);
    observer.observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    look();
  });

/**
 * Milliseconds from the next event of this kind until a frame with `isDone()` is painted.
 * `keydown Enter` waits for that key.
 */
globalThis.benchFrom = (event, isDone) =>
  new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`not done a minute after ${event}`)), 60_000);
    const [kind, wantedKey] = event.split(' ');
    const start = (/** @type {KeyboardEvent} */ { timeStamp, key }) => {
      if (wantedKey && key !== wantedKey) return;
      removeEventListener(kind, start, { capture: true });
      if (isDone()) reject(new Error(`done before ${event}`));
      benchPainted(isDone).then((at) => resolve(at - timeStamp));
    };
    addEventListener(kind, start, { capture: true });
  });
