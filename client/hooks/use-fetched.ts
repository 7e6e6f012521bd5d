import { useCallback, useEffect, useRef, useState } from 'react';

/** An answer that isn't cached, because what it shows can only be changed with a connection. */
export interface Fetched<Body> {
  /** Null until the first answer. */
  data: Body | null;
  /** Why the last attempt failed. */
  error: unknown;
  refresh: () => Promise<void>;
}

/** @param ask must stay the same function */
export function useFetched<Body>(ask: () => Promise<Body>): Fetched<Body> {
  const [data, setData] = useState<Body | null>(null);
  const [error, setError] = useState<unknown>(null);
  const asked = useRef(0);

  const refresh = useCallback(async () => {
    asked.current += 1;
    const turn = asked.current;
    setError(null);
    try {
      const body = await ask();
      // Two answers may overtake each other: the one that was asked for later stays.
      if (turn === asked.current) setData(body);
    } catch (failure) {
      if (turn === asked.current) setError(failure);
    }
  }, [ask]);
  useEffect(() => void refresh(), [refresh]);

  return { data, error, refresh };
}
