import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** A colour of layout.css. */
export type BadgeTone = 'quiet' | 'red' | 'orange' | 'yellow' | 'indigo';

interface BadgeProps {
  tone?: BadgeTone;
  children: ReactNode;
}

export function Badge({ tone = 'quiet', children }: BadgeProps) {
  return <span className={`inline-row strong ${tone} ${styles.badge}`}>{children}</span>;
}
