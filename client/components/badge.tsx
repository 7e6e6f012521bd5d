import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classes } from './classes.ts';

export type BadgeTone = 'plain' | 'copper' | 'verdigris' | 'red' | 'orange' | 'yellow' | 'indigo';

interface BadgeProps {
  tone?: BadgeTone;
  /** Decorative: the text alone must be enough. */
  icon?: ReactNode;
  children: ReactNode;
}

export function Badge({ tone = 'plain', icon, children }: BadgeProps) {
  return (
    <span className={classes(styles.badge, styles[tone])}>
      {icon}
      {children}
    </span>
  );
}
