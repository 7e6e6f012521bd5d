import { useLiveQuery } from 'dexie-react-hooks';
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
  return useLiveQuery(async () => {
    try {
      return await read();
    } catch (error) {
      if (error instanceof Error && PASSING.includes(error.name)) throw error;
      reportError(error);
      return nothing;
    }
  }, [losses, ...deps]);
}
