import type { CapsulePage, CapsuleType } from '../../../shared/api/capsules.ts';
import { Tabs } from '../../components/tabs.tsx';
import type { OutboxRow } from '../../db/tables.ts';
import type { Openings } from '../../hooks/openings.ts';
import type { Resource } from '../../hooks/use-resource.ts';
import type { CapsuleActions } from '../capsule/use-capsule-actions.ts';
import {
  type ChangeAddress,
  type DashboardAddress,
  DEFAULT_TAB,
  type TabValue,
} from './address.ts';
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
  /** The shown tab; null until it is known. */
  tab: TabValue | null;
  address: DashboardAddress;
  change: ChangeAddress;
  openings: Openings | null;
  actions: CapsuleActions;
  now: Date;
}

export function CapsuleTabs(props: CapsuleTabsProps) {
  const { lists, queued, tab, address, change, openings, actions, now } = props;
  const ready = openings?.count ?? 0;
  const { query, view, hidden, page } = address;
  const value = tab ?? DEFAULT_TAB;
  const shown = lists[value];
  const isWholeList = query === '' && page === 1 && view === 'newest' && !hidden;
  return (
    <div>
      <h2 className="visually-hidden">Capsules</h2>
      <p className="visually-hidden" role="status">
        {query === '' || !shown.data ? '' : foundText(countOf(shown))}
      </p>
      <Tabs
        label="Capsules"
        value={value}
        onChange={(next) => change({ tab: next, page: 1, hidden: false })}
        tabs={TABS.map(({ value: list, label, type }) => ({
          value: list,
          label: (
            <>
              {label} ({countOf(lists[list])})
              {type === 'received' && ready > 0 && (
                <>
                  {' '}
                  <span className={`copper ${styles.count}`}>{ready} new</span>
                </>
              )}
            </>
          ),
          panel: (
            <CapsuleList
              type={type}
              list={tab === null ? { ...lists[list], data: null, isLoading: true } : lists[list]}
              address={type === 'created' ? { ...address, hidden: false } : address}
              change={change}
              queued={type === 'created' && isWholeList ? queued : []}
              now={now}
              openings={openings}
              actions={actions}
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
