import type { ComponentProps, ReactNode } from 'react';
import styles from './card.module.css';
import { classes } from './classes.ts';

interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  title?: ReactNode;
  /** Heading level of the title. */
  level?: 2 | 3;
  /** Beside the title. */
  action?: ReactNode;
}

/** A sheet of paper on the stone. */
export function Card({ title, level = 2, action, className, children, ...rest }: CardProps) {
  const Heading = `h${level}` as const;
  return (
    <section {...rest} className={classes(styles.card, className)}>
      {(title || action) && (
        <div className={styles.head}>
          {title && <Heading>{title}</Heading>}
          {action}
        </div>
      )}
      {children}
    </section>
  );
}
