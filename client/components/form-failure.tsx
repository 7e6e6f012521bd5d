import type { ReactNode } from 'react';
import styles from './form-failure.module.css';
import { CircleAlert } from './icon.tsx';

/** Why a form was refused. Render it from the start: its live region must exist before its text. */
export function FormFailure({ message }: { message: ReactNode }) {
  return (
    <div role="alert">
      {message !== null && (
        <p className={`row gap-8 top red rounded ${styles.failure}`} ref={bringIntoSight}>
          <CircleAlert size={18} />
          {message}
        </p>
      )}
    </div>
  );
}

/** A button that stays in sight may be far from where its form says why it was refused. */
function bringIntoSight(failure: HTMLElement | null): void {
  failure?.scrollIntoView({ block: 'nearest' });
}
