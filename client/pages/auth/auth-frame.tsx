import type { ReactNode } from 'react';
import { Seal } from '../../ui/seal.tsx';
import styles from './auth-frame.module.css';

interface AuthFrameProps {
  title: string;
  children: ReactNode;
}

/** One card; where there is room, still rings beside it. */
export function AuthFrame({ title, children }: AuthFrameProps) {
  return (
    <div className={styles.frame}>
      <div className={styles.rings}>
        <Seal id="still rings" years={9} progress={44} locked label={null} size="fill" />
      </div>
      <section className={styles.card}>
        <h1>{title}</h1>
        {children}
      </section>
    </div>
  );
}
