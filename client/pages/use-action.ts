import { useState } from 'react';

/**
 * What a press does, one time at once: whether it is on its way, and why it has failed.
 * @param explain the sentence of a failure
 */
export function useAction<Given extends unknown[]>(
  act: (...given: Given) => Promise<unknown>,
  explain: (error: unknown) => string,
) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const run = async (...given: Given): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await act(...given);
    } catch (error) {
      setFailure(explain(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, run: (...given: Given) => void run(...given) };
}
