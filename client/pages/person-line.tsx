import type { Recipient } from '../../shared/api/user.ts';
import { Avatar } from '../components/avatar.tsx';
import { Badge } from '../components/badge.tsx';
import { CircleAlert } from '../components/icon.tsx';
import styles from './person-line.module.css';

interface PersonLineProps {
  person: Pick<Recipient, 'avatar' | 'name' | 'email'> &
    Partial<Pick<Recipient, 'isYou' | 'isInvited' | 'emailBounces'>>;
}

/** Avatar, name and email of a person in a list. */
export function PersonLine({ person }: PersonLineProps) {
  const { avatar, name, email, isYou, isInvited, emailBounces } = person;
  return (
    <>
      <Avatar avatar={avatar} name={name} />
      <span className={styles.words}>
        <span className={styles.name}>
          {name} {isYou && <Badge>You</Badge>}
          {isInvited && <Badge>Invited</Badge>}
        </span>
        <span className={styles.email}>{email}</span>
        {emailBounces && (
          <span className={styles.bounces}>
            <CircleAlert size={16} aria-hidden="true" />
            This address doesn't accept our email.
          </span>
        )}
      </span>
    </>
  );
}
