import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** A faint seal, one sentence and one action. */
export function EmptyState({ sentence, action }: { sentence: string; action?: ReactNode }) {
  return (
    <div className={`stack gap-16 centred ${styles.empty}`}>
      <svg viewBox="0 0 72 72" width="72" height="72" aria-hidden="true">
        {[33, 25, 17, 9].map((radius) => (
          <circle key={radius} cx="36" cy="36" r={radius} />
        ))}
      </svg>
      <p className="quiet">{sentence}</p>
      {action}
    </div>
  );
}
