import type { ReactNode } from 'react';
import styles from './auth-frame.module.css';
import { StillRings } from './still-rings.tsx';

interface AuthFrameProps {
  title: string;
  children: ReactNode;
}

/** One card; where there is room, still rings beside it. */
export function AuthFrame({ title, children }: AuthFrameProps) {
  return (
    <div className={styles.frame}>
      <StillRings />
      <section className={styles.card}>
        <h1>{title}</h1>
        {children}
      </section>
    </div>
  );
}
