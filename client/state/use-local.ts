import { liveQuery } from 'dexie';
import { startTransition, useEffect, useState } from 'react';
import './device.ts';
import { deviceState } from './device-state.ts';
import { useExternalStore } from './external-store.ts';

/** The connection is on its way out or back: what was read before stands until then. */
const PASSING = ['DatabaseClosedError', 'AbortError'];

/**
 * What this device keeps, again whenever it changes; undefined until it has been asked. A
 * device that cannot be read keeps `nothing`: its screens still stand, online.
 */
export function useLocal<Value>(
  read: () => Promise<Value>,
  deps: readonly unknown[],
  nothing: Value,
): Value | undefined {
  const { losses } = useExternalStore(deviceState);
  const [value, setValue] = useState<Value>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are the caller's, as of any hook
  useEffect(() => {
    const query = liveQuery(async () => {
      try {
        return await read();
      } catch (error) {
        if (error instanceof Error && PASSING.includes(error.name)) throw error;
        reportError(error);
        return nothing;
      }
    });
    let isAsked = true;
    const subscription = query.subscribe((next) => {
      const show = () => setValue(() => next);
      // What was asked for is shown at once. What comes by itself later is drawn in slices: it
      // must not hold up a finger.
      if (isAsked) show();
      else startTransition(show);
      isAsked = false;
    });
    return () => subscription.unsubscribe();
  }, [losses, ...deps]);
  return value;
}
