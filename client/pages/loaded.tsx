import type { ReactNode } from 'react';
import { isConnectionError } from '../api/errors.ts';
import { Button } from '../components/button.tsx';
import { Spinner } from '../components/spinner.tsx';
import type { Shown } from '../hooks/use-query.ts';

interface LoadedProps<Body> {
  of: Shown<Body>;
  /** What is loaded, as in "your sessions". */
  what: string;
  children: (data: Body) => ReactNode;
}

/** The contents of a page or a card, once they are there. What was loaded before stays while it fails. */
export function Loaded<Body>({ of, what, children }: LoadedProps<Body>) {
  const { data, error, isRefreshing, refresh } = of;
  if (data) return children(data);
  const isWaiting = error === null || isRefreshing;
  return (
    <div className="stack gap-16 silent">
      {isWaiting && <Spinner label={`Loading ${what}...`} />}
      <p role="alert">
        {!isWaiting &&
          (isConnectionError(error)
            ? `You need a connection to see ${what}.`
            : `We couldn't load ${what}.`)}
      </p>
      {!isWaiting && (
        <div className="cluster gap-12">
          <Button onClick={() => void refresh()}>Try again</Button>
        </div>
      )}
    </div>
  );
}
