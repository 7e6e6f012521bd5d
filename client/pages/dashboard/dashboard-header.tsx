import { useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { CurrentUser } from '../../../shared/api/user.ts';
import { SEARCH_QUERY_MAX } from '../../../shared/limits.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Plus, Search, User, Users, X } from '../../components/icon.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Menu } from '../../components/menu.tsx';
import styles from './dashboard-header.module.css';

interface DashboardHeaderProps {
  user: CurrentUser | null;
  query: string;
  onQuery: (query: string) => void;
  onDiscover: () => void;
}

export function DashboardHeader({ user, query, onQuery, onDiscover }: DashboardHeaderProps) {
  const navigate = useNavigate();
  return (
    <div className={`stack middle gap-16 ${styles.header}`}>
      <h1 tabIndex={-1}>Time Capsule Dashboard</h1>
      <div className={styles.profile}>
        <Menu
          label="Profile menu"
          trigger={<Avatar avatar={user?.avatar ?? ''} name={user?.name ?? ''} />}
          items={[
            {
              label: 'Your profile',
              icon: User,
              onSelect: () => navigate('/profile'),
            },
            {
              label: 'Discover Users',
              icon: Users,
              onSelect: onDiscover,
            },
          ]}
        />
      </div>
      <SearchBox query={query} onQuery={onQuery} />
      <div className={`cluster gap-8 sharing ${styles.actions}`}>
        <ButtonLink to="/create" variant="primary" icon={Plus}>
          Create New Capsule
        </ButtonLink>
        <Button icon={Users} onClick={onDiscover}>
          Discover Users
        </Button>
      </div>
    </div>
  );
}

const SEARCH_AFTER_MS = 300;

/** Searches while the person types. The address holds the query. */
function SearchBox({ query, onQuery }: { query: string; onQuery: (query: string) => void }) {
  const id = useId();
  const [text, setText] = useState(query);
  const sent = useRef(query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // The back button changed the address: the box follows.
  useEffect(() => {
    if (query === sent.current) return;
    sent.current = query;
    setText(query);
  }, [query]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const send = (value: string) => {
    clearTimeout(timer.current);
    sent.current = value.trim();
    onQuery(sent.current);
  };
  const type = (value: string) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(value), SEARCH_AFTER_MS);
  };

  return (
    <search className="stack holds">
      <label className="visually-hidden" htmlFor={id}>
        Search capsules
      </label>
      <Search className={`quiet ${styles.mark}`} size={18} />
      <input
        id={id}
        data-focus-home
        type="search"
        className={`wide target control darkens ${styles.input}`}
        placeholder="Search capsules"
        autoComplete="off"
        enterKeyHint="search"
        maxLength={SEARCH_QUERY_MAX}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(text);
        }}
      />
      {text !== '' && (
        <IconButton
          label="Clear search"
          className="in-corner"
          onClick={() => {
            setText('');
            send('');
          }}
        >
          <X size={18} />
        </IconButton>
      )}
    </search>
  );
}
