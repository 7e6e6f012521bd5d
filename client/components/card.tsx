import type { ComponentProps, ReactNode } from 'react';
import styles from './card.module.css';
import { classes } from './classes.ts';

interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  title?: ReactNode;
  /** Beside the title. */
  action?: ReactNode;
}

/** A sheet of paper on the stone. */
export function Card({ title, action, className, children, ...rest }: CardProps) {
  return (
    <section {...rest} className={classes(`sheet ${styles.card}`, className)}>
      {(title || action) && (
        <div className={`cluster middle spread gap-8-16 ${styles.head}`}>
          {title && <h2>{title}</h2>}
          {action}
        </div>
      )}
      {children}
    </section>
  );
}
