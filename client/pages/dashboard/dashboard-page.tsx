import { useCallback, useState } from 'react';
import { useAuth } from '../../hooks/auth.ts';
import { useDashboardAddress } from './address.ts';
import styles from './dashboard.module.css';
import { DashboardBoard } from './dashboard-board.tsx';
import { DashboardHeader } from './dashboard-header.tsx';
import { UserSearch } from './user-search.tsx';

export function DashboardPage() {
  const { user } = useAuth();
  const { address, change, closeCapsule } = useDashboardAddress();
  const [searchesPeople, setSearchesPeople] = useState(false);
  const search = useCallback(
    (query: string) => change({ query, page: 1 }, { replace: true }),
    [change],
  );
  const discover = () => setSearchesPeople(true);
  return (
    <div className={styles.page}>
      <DashboardHeader user={user} query={address.query} onQuery={search} onDiscover={discover} />
      <DashboardBoard address={address} change={change} onCapsuleClose={closeCapsule} />
      {searchesPeople && <UserSearch onClose={() => setSearchesPeople(false)} />}
    </div>
  );
}
