import { useState } from 'react';
import { Button } from '../../components/button.tsx';

interface Tries {
  /** Another one for each try makes the browser load it once more. */
  key: number;
  hasFailed: boolean;
  fail: () => void;
  again: () => void;
}

export function useTries(): Tries {
  const [{ key, hasFailed }, setTries] = useState({ key: 0, hasFailed: false });
  return {
    key,
    hasFailed,
    fail: () => setTries((before) => ({ ...before, hasFailed: true })),
    again: () => setTries({ key: key + 1, hasFailed: false }),
  };
}

/** Says so, whether it is the connection, the file or a format that this browser doesn't know. */
export function NotLoaded({ tries, text = IT }: { tries: Tries; text?: string }) {
  return (
    <div className="silent" role="status" data-focus-home>
      {tries.hasFailed && (
        <div className="cluster middle gap-12">
          <p className="small">{text}</p>
          <Button onClick={tries.again}>Try again</Button>
        </div>
      )}
    </div>
  );
}

const IT = "We couldn't load it. If trying again doesn't help, download it.";
