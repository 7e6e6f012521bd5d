import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** A colour of layout.css. */
export type BadgeTone = 'quiet' | 'red' | 'orange' | 'yellow' | 'indigo';

export function Badge({ tone = 'quiet', children }: { tone?: BadgeTone; children: ReactNode }) {
  return <span className={`inline-row gap-6 strong ${tone} ${styles.badge}`}>{children}</span>;
}
