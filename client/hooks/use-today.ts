import { useSyncExternalStore } from 'react';

const never = () => () => undefined;
const today = () => new Date().toISOString().slice(0, 10);

/** On a page that was rendered beforehand: the day it was rendered on. */
function renderedOn(): string {
  const root = typeof document === 'undefined' ? null : document.getElementById('root');
  return root?.dataset.day ?? today();
}

/** The day in UTC, YYYY-MM-DD. */
export function useToday(): string {
  return useSyncExternalStore(never, today, renderedOn);
}
