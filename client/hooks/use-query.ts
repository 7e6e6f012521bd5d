import { useCallback, useEffect, useRef, useState } from 'react';
import { isAborted } from '../api/errors.ts';

/** What the server says to a question, as pages show it. */
export interface Shown<Body> {
  /** Null until the first answer, which stays while later ones fail. */
  data: Body | null;
  /** Another answer may be on its way. */
  isRefreshing: boolean;
  /** Why the last attempt failed. */
  error: unknown;
  /** Asks again; never throws. */
  refresh: () => Promise<void>;
}

export interface Query<Body> extends Shown<Body> {
  /** When the server was asked last, and has answered; in milliseconds by this device's clock. */
  askedAt: number;
  /** Asks again after a change of what is asked for. @throws what the change throws */
  after: <Answer>(change: Promise<Answer>) => Promise<Answer>;
  /** Shows what a change has answered, in place of asking again. */
  show: (data: Body) => void;
}

/** An app that comes back into sight after this long asks the server again. */
export const STALE_AFTER_MS = 30_000;

const CHANGED = 'time-capsule-changed-elsewhere';

/** Asks again whatever this page shows: another device has changed it. */
export function askAllAgain(): void {
  window.dispatchEvent(new Event(CHANGED));
}

/**
 * Asks the server: now, back online, and when the page comes back into sight.
 * @param key names the question; null asks nothing
 * @param ask null leaves `data` as it is @param occasion asks again when it changes
 */
export function useQuery<Body>(
  key: string | null,
  ask: (signal: AbortSignal) => Promise<Body | null>,
  occasion?: unknown,
): Query<Body> {
  const initial: State<Body> = { key, data: null, askedAt: 0, isRefreshing: true, error: null };
  const [state, setState] = useState(initial);
  const running = useRef<AbortController | null>(null);
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });

  const refresh = useCallback(async () => {
    if (key === null) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState((before) => (before.key === key ? { ...before, isRefreshing: true } : before));
    const askedAt = Date.now();
    const settle = (answer: Body | null, error: unknown) => {
      if (running.current !== controller) return;
      setState((before) => {
        const data = answer ?? (before.key === key ? before.data : null);
        return { key, data, askedAt, isRefreshing: false, error };
      });
    };
    try {
      settle(await latest.current(controller.signal), null);
    } catch (error) {
      if (!isAborted(error)) settle(null, error);
    }
  }, [key]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it asks again for another `occasion`.
  useEffect(() => {
    let askedAt = 0;
    const ask = () => {
      askedAt = Date.now();
      void refresh();
    };
    const askIfStale = () => {
      const isVisible = document.visibilityState === 'visible';
      if (isVisible && Date.now() - askedAt > STALE_AFTER_MS) ask();
    };
    ask();
    window.addEventListener('online', ask);
    window.addEventListener(CHANGED, ask);
    document.addEventListener('visibilitychange', askIfStale);
    // Two windows side by side are both visible, so only the focus tells which one is used.
    window.addEventListener('focus', askIfStale);
    return () => {
      window.removeEventListener('online', ask);
      window.removeEventListener(CHANGED, ask);
      document.removeEventListener('visibilitychange', askIfStale);
      window.removeEventListener('focus', askIfStale);
      running.current?.abort();
    };
  }, [refresh, occasion]);

  const after = async <Answer>(change: Promise<Answer>) => {
    const answer = await change;
    await refresh();
    return answer;
  };
  const show = (data: Body) => {
    running.current?.abort();
    running.current = null;
    setState({ key, data, askedAt: Date.now(), isRefreshing: false, error: null });
  };
  return { ...(state.key === key ? state : initial), refresh, after, show };
}

interface State<Body> extends Omit<Query<Body>, 'refresh' | 'after' | 'show'> {
  key: string | null;
}
