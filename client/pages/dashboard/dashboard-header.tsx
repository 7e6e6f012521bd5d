import { useNavigate } from 'react-router-dom';
import type { CurrentUser } from '../../../shared/api/user.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Plus, User, Users } from '../../components/icon.tsx';
import { Menu } from '../../components/menu.tsx';
import styles from './dashboard-header.module.css';
import { SearchBox } from './search-box.tsx';

interface DashboardHeaderProps {
  user: CurrentUser | null;
  query: string;
  onQuery: (query: string) => void;
  onDiscover: () => void;
}

export function DashboardHeader({ user, query, onQuery, onDiscover }: DashboardHeaderProps) {
  const navigate = useNavigate();
  return (
    <div className={styles.header}>
      <h1 tabIndex={-1}>Time Capsule Dashboard</h1>
      <div className={styles.profile}>
        <Menu
          label="Profile menu"
          trigger={<Avatar avatar={user?.avatar ?? ''} name={user?.name ?? ''} />}
          items={[
            {
              label: 'Your profile',
              icon: <User size={18} aria-hidden="true" />,
              onSelect: () => navigate('/profile'),
            },
            {
              label: 'Discover Users',
              icon: <Users size={18} aria-hidden="true" />,
              onSelect: onDiscover,
            },
            {
              label: 'Create New Capsule',
              icon: <Plus size={18} aria-hidden="true" />,
              onSelect: () => navigate('/create'),
            },
          ]}
        />
      </div>
      <SearchBox query={query} onQuery={onQuery} />
      <div className={styles.actions}>
        <Button icon={<Users size={18} aria-hidden="true" />} onClick={onDiscover}>
          Discover Users
        </Button>
        <ButtonLink to="/create" variant="primary" icon={<Plus size={18} aria-hidden="true" />}>
          Create New Capsule
        </ButtonLink>
      </div>
    </div>
  );
}
