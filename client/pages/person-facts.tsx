import type { CurrentUser } from '../../shared/api/user.ts';
import { displayName, longDate } from './format.ts';
import styles from './person-facts.module.css';

type Person = Pick<CurrentUser, 'name' | 'email' | 'bio' | 'createdAt'>;

/** Name, email, bio and joining date, on the own profile and on public profiles. */
export function PersonFacts({ person }: { person: Person }) {
  const { email, bio } = person;
  return (
    <div className={`stack gap-4 narrows ${styles.facts}`}>
      <h1 tabIndex={-1} dir="auto">
        {displayName(person)}
      </h1>
      {email && <p className="breaks quiet small">{email}</p>}
      {bio && (
        <p className={`breaks ${styles.bio}`} dir="auto">
          {bio}
        </p>
      )}
      <p className="quiet small">Joined {joinedText(person)}</p>
    </div>
  );
}

function joinedText({ createdAt }: Person): string {
  return createdAt && !Number.isNaN(Date.parse(createdAt)) ? longDate(createdAt) : 'Recently';
}
