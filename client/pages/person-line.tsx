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
      <span className={`stack grow breaks ${styles.words}`}>
        <span className="strong">
          {name} {isYou && <Badge>You</Badge>}
          {isInvited && <Badge>Invited</Badge>}
        </span>
        <span className="quiet small">{email}</span>
        {emailBounces && (
          <span className={`row gap-4 top orange small ${styles.bounces}`}>
            <CircleAlert size={16} />
            This address doesn't accept our email.
          </span>
        )}
      </span>
    </>
  );
}
