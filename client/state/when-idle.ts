import { useEffect, useState } from 'react';

/** However busy the page is, it is not put off for longer. */
const LATEST_MS = 2_000;

/** Does `work` once the page has loaded and has nothing more urgent to do. */
export function whenIdle(work: () => void): void {
  const wait = () => {
    if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: LATEST_MS });
    else setTimeout(work, 200);
  };
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait);
}

/** False until then. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return isIdle;
}
