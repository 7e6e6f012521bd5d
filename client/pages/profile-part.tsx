import type { ReactNode } from 'react';
import { useMe } from '../hooks/use-people.ts';
import { BackLink } from './back-link.tsx';
import styles from './profile-part.module.css';

interface ProfilePartProps {
  title: string;
  /** The page above it. */
  under?: 'Profile' | 'Emails' | 'Safety';
  children: ReactNode;
}

/** A page to which the profile leads: cards beneath each other. */
export function ProfilePart({ title, under = 'Profile', children }: ProfilePartProps) {
  // A device that doesn't know yet who is signed in asks.
  useMe();
  return (
    <div className={`stack gap-16 slim ${styles.page}`}>
      <BackLink to={under === 'Profile' ? '/profile' : `/profile/${under.toLowerCase()}`}>
        {`Back to ${under}`}
      </BackLink>
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </div>
  );
}
