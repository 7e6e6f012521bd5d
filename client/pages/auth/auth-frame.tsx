import { type ReactNode, useEffect, useRef } from 'react';
import { usePageTitle } from '../../ui/page-title.ts';
import styles from './auth-frame.module.css';
import { StillRings } from './still-rings.tsx';

interface AuthFrameProps {
  title: string;
  /** It takes the place of what the person has just sent: reading goes on at its heading. */
  follows?: boolean;
  children: ReactNode;
}

/** One card; where there is room, still rings beside it. */
export function AuthFrame({ title, follows = false, children }: AuthFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(title);
  useEffect(() => {
    if (follows) heading.current?.focus();
  }, [follows]);
  return (
    <div className={styles.frame}>
      <StillRings />
      <section className={styles.card}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </section>
    </div>
  );
}
