import { useSyncExternalStore } from 'react';

/** State that lives longer than a page. */
export interface ExternalStore<State> {
  get: () => State;
  /** What a page that was rendered beforehand shows until the app has taken it over. */
  prerendered: () => State;
  set: (change: Partial<State>) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createExternalStore<State extends object>(
  initial: State,
  prerendered: () => State = () => initial,
): ExternalStore<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    prerendered,
    set: (change) => {
      state = { ...state, ...change };
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useExternalStore<State>(store: ExternalStore<State>): State {
  return useSyncExternalStore(store.subscribe, store.get, store.prerendered);
}
