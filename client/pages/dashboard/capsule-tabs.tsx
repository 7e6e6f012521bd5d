import type { CapsulePage, CapsuleType } from '../../../shared/api/capsules.ts';
import { Tabs } from '../../components/tabs.tsx';
import type { OutboxRow } from '../../db/tables.ts';
import type { Openings } from '../../hooks/openings.ts';
import type { Resource } from '../../hooks/use-resource.ts';
import type { CapsuleActions } from '../capsule/use-capsule-actions.ts';
import type { ChangeAddress, DashboardAddress, TabValue } from './address.ts';
import { CapsuleList } from './capsule-list.tsx';
import styles from './ready-capsules.module.css';

const TABS: readonly { value: TabValue; label: string; type: CapsuleType }[] = [
  { value: 'my-capsules', label: 'My Capsules', type: 'created' },
  { value: 'received', label: 'Shared With Me', type: 'received' },
];

interface CapsuleTabsProps {
  lists: Record<TabValue, Resource<CapsulePage>>;
  /** Capsules that wait to be sent. */
  queued: readonly OutboxRow[];
  address: DashboardAddress;
  change: ChangeAddress;
  openings: Openings | null;
  actions: CapsuleActions;
  /** Fetches lists and summary again; never throws. */
  refreshAll: () => Promise<unknown>;
  now: Date;
}

export function CapsuleTabs(props: CapsuleTabsProps) {
  const { lists, queued, address, change, openings, actions, refreshAll, now } = props;
  const ready = openings?.count ?? 0;
  const { tab, query, view, hidden, page } = address;
  const shown = lists[tab];
  const isWholeList = query === '' && page === 1 && view === 'newest' && !hidden;
  return (
    <div>
      <h2 className="visually-hidden">Capsules</h2>
      <p className="visually-hidden" role="status">
        {query === '' || !shown.data ? '' : foundText(countOf(shown))}
      </p>
      <Tabs
        label="Capsules"
        value={tab}
        onChange={(next) => change({ tab: next, page: 1, hidden: false })}
        tabs={TABS.map(({ value, label, type }) => ({
          value,
          label: (
            <>
              {label} ({countOf(lists[value])})
              {type === 'received' && ready > 0 && (
                <>
                  {' '}
                  <span className={styles.count}>
                    {ready}
                    <span className="visually-hidden"> new</span>
                  </span>
                </>
              )}
            </>
          ),
          panel: (
            <CapsuleList
              type={type}
              list={lists[value]}
              address={type === 'created' ? { ...address, hidden: false } : address}
              change={change}
              queued={type === 'created' && isWholeList ? queued : []}
              now={now}
              openings={openings}
              actions={actions}
              onOpening={refreshAll}
            />
          ),
        }))}
      />
    </div>
  );
}

function foundText(count: number): string {
  if (count === 0) return 'No capsules found';
  return count === 1 ? '1 capsule found' : `${count} capsules found`;
}

function countOf({ data }: Resource<CapsulePage>): number {
  return data?.pagination.totalItems ?? 0;
}
