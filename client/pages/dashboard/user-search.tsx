import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { SEARCH_QUERY_MAX } from '../../../shared/limits.ts';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { usePeopleSearch } from '../../hooks/use-people.ts';
import { createFor, firstName } from '../format.ts';
import { PersonLine } from '../person-line.tsx';
import styles from './user-search.module.css';

/** Finds other people by name or email. */
export function UserSearch({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const search = usePeopleSearch(text);
  const people = search.data ?? [];
  const go = (userId: string) => {
    onClose();
    navigate(`/profile/${userId}`);
  };
  return (
    <Dialog title="Discover Users" onClose={onClose}>
      <div className="stack gap-12">
        <TextField
          label="Name or email"
          type="search"
          autoComplete="off"
          enterKeyHint="search"
          autoFocus
          maxLength={SEARCH_QUERY_MAX}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={({ key }) => {
            if (key === 'Enter' && search.error !== null) void search.refresh();
          }}
        />
        <p className="quiet small" role="status">
          {noteOf(search)}
        </p>
        {people.length > 0 && (
          <ul className={styles.people}>
            {people.map((person) => (
              <li key={person.userId}>
                <button
                  type="button"
                  className={`row middle gap-12 wide target rounded lights-up ${styles.person}`}
                  onClick={() => go(person.userId)}
                >
                  <PersonLine person={person} />
                </button>
                <Link
                  className={`row middle target small strong ${styles.write}`}
                  to={createFor(person.email)}
                  onClick={onClose}
                >
                  Create a capsule for {firstName(person)}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

/** Nothing where the search failed: Enter tries it again. */
function noteOf({ isTooShort, data, error, isRefreshing }: ReturnType<typeof usePeopleSearch>) {
  if (isTooShort) return 'Type at least 2 characters to search users';
  if (!data) return error !== null && !isRefreshing ? '' : 'Searching...';
  if (data.length === 0) return 'No users found matching the query.';
  return data.length === 1 ? '1 user found' : `${data.length} users found`;
}
