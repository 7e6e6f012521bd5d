/*
 * The first script of a page that comes with its words: they are seen before the app, which is
 * on its way already, takes the processor to itself.
 */

const FALLBACK_MS = 1_000;

const { app, parts } = document.querySelector<HTMLScriptElement>('script[data-app]')?.dataset ?? {};
let isStarted = false;

function start() {
  if (isStarted || app === undefined) return;
  isStarted = true;
  // The app asks for them when it runs; until then they can be here.
  for (const part of parts?.split(' ') ?? []) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = part;
    document.head.append(link);
  }
  void import(/* @vite-ignore */ app).then(() => {
    window.removeEventListener(OFFER, hold);
    if (offer) window.dispatchEvent(offer);
  });
}

/** The browser offers only once to install the app, whether or not that is here to hear it. */
const OFFER = 'beforeinstallprompt';
let offer: Event | null = null;

function hold(event: Event) {
  event.preventDefault();
  offer = event;
}

window.addEventListener(OFFER, hold);

new PerformanceObserver((paints) => {
  if (paints.getEntriesByName('first-contentful-paint').length > 0) start();
}).observe({ type: 'paint', buffered: true });
// A page that nobody looks at is not painted.
setTimeout(start, FALLBACK_MS);

export {};
