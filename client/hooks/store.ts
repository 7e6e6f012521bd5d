import { useSyncExternalStore } from 'react';

/** State that lives longer than a page. */
export interface ExternalStore<State> {
  get: () => State;
  set: (change: Partial<State>) => void;
  subscribe: (listener: () => void) => () => void;
  /** The state while React hydrates the landing page, which was rendered during the build. */
  atBuild: State;
}

export function createExternalStore<State extends object>(
  initial: State,
  atBuild: State = initial,
): ExternalStore<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change };
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    atBuild,
  };
}

export function useExternalStore<State>(store: ExternalStore<State>): State {
  return useSyncExternalStore(store.subscribe, store.get, () => store.atBuild);
}
