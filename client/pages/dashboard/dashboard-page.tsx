import { Suspense, useCallback, useDeferredValue, useState } from 'react';
import { useAuth } from '../../state/auth.ts';
import { useTakenOver } from '../../state/rendered-page.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { lazyPart } from '../lazy-part.ts';
import { readAddress, useDashboardAddress } from './address.ts';
import styles from './dashboard.module.css';
import { DashboardHeader } from './dashboard-header.tsx';

// Asked for at once, and shown when it is there: the heading, the search and the way to
// create need neither the database nor the schemas.
// The schemas of the calls first, so that a phone is not busy with both at a stretch.
const loadBoard = () => import('../../http/call.ts').then(() => import('./dashboard-board.tsx'));
const DashboardBoard = lazyPart(async () => (await loadBoard()).DashboardBoard);
void DashboardBoard.prepare();

/** Has all that the first picture of the dashboard shows come from this device. */
export async function prepareBoard(): Promise<void> {
  const address = readAddress(new URLSearchParams(location.search));
  await Promise.all([DashboardBoard.prepare(), (await loadBoard()).prepareCards(address)]);
}

export function DashboardPage() {
  const { user } = useAuth();
  const { address, change, closeCapsule } = useDashboardAddress();
  const [searchesPeople, setSearchesPeople] = useState(false);
  const search = useCallback(
    (query: string) => change({ query, page: 1 }, { replace: true }),
    [change],
  );
  const discover = useCallback(() => setSearchesPeople(true), []);
  // What is the same for everyone comes with the page; the board has a person's data.
  const hasBoard = useDeferredValue(useTakenOver());
  return (
    <div className={styles.page}>
      <DashboardHeader user={user} query={address.query} onQuery={search} onDiscover={discover} />
      <Suspense fallback={<Waiting />}>
        {hasBoard ? (
          <DashboardBoard
            address={address}
            change={change}
            onCapsuleClose={closeCapsule}
            searchesPeople={searchesPeople}
            onSearchEnd={() => setSearchesPeople(false)}
          />
        ) : (
          <Waiting />
        )}
      </Suspense>
    </div>
  );
}

function Waiting() {
  return (
    <div className={styles.waiting}>
      <Spinner label="Loading capsules..." />
    </div>
  );
}
