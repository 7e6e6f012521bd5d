import type { CapsulePage, DashboardSummary } from '../../../shared/api/capsules.ts';
import { isConnectionError } from '../../api/errors.ts';
import { Tabs } from '../../components/tabs.tsx';
import type { Openings } from '../../hooks/openings.ts';
import type { Resource } from '../../hooks/use-resource.ts';
import type { CapsuleActions } from '../capsule/use-capsule-actions.ts';
import type { ChangeAddress, DashboardAddress, TabValue } from './address.ts';
import { CapsuleList, isPartOf } from './capsule-list.tsx';
import styles from './ready-capsules.module.css';

const TABS = [
  { value: 'my-capsules', label: 'My Capsules', type: 'created', figure: 'createdCapsules' },
  { value: 'received', label: 'Shared With Me', type: 'received', figure: 'receivedCapsules' },
] as const;

interface CapsuleTabsProps {
  lists: Record<TabValue, Resource<CapsulePage>>;
  figures: DashboardSummary | null;
  address: DashboardAddress;
  change: ChangeAddress;
  openings: Openings | null;
  actions: CapsuleActions;
  now: Date;
}

export function CapsuleTabs(props: CapsuleTabsProps) {
  const { lists, figures, address, change, openings, actions, now } = props;
  const ready = openings?.count ?? 0;
  const { tab, query } = address;
  const shown = lists[tab];
  // A list that is a part of them says how many are in it.
  const whole = isPartOf(address) ? figures : null;
  return (
    <div>
      <h2 className="visually-hidden">Capsules</h2>
      <p className="visually-hidden" role="status">
        {query !== '' && shown.data && foundText(shown.data.pagination.totalItems, shown.error)}
      </p>
      <Tabs
        label="Capsules"
        value={tab}
        onChange={(next) => change({ tab: next, page: 1, hidden: false })}
        tabs={TABS.map(({ value: list, label, type, figure }) => ({
          value: list,
          label: (
            <>
              {/* How many there are is unknown until an answer is here. The dash keeps the room. */}
              {label} ({whole?.[figure] ?? lists[list].data?.pagination.totalItems ?? '–'})
              {type === 'received' && ready > 0 && (
                <>
                  {' '}
                  <span className={`copper unbroken ${styles.count}`}>{ready} new</span>
                </>
              )}
            </>
          ),
          // Nobody sees the cards behind the other tab, and a slow device takes long to draw them.
          panel: list === tab && (
            <CapsuleList
              type={type}
              hasReceived={Boolean(lists.received.data?.pagination.totalItems)}
              list={lists[list]}
              address={type === 'created' ? { ...address, hidden: false } : address}
              change={change}
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

function foundText(count: number, error: unknown): string {
  const found = count === 1 ? '1 capsule' : `${count || 'No'} capsules`;
  return `${found} found${isConnectionError(error) ? ' on this device' : ''}`;
}
