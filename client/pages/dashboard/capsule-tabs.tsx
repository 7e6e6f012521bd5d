import { useRef } from 'react';
import type { CapsulePage, CapsuleType } from '../../../shared/api/capsules.ts';
import { confirm } from '../../components/confirm.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { toasts } from '../../components/toast.tsx';
import type { OutboxRow } from '../../db/tables.ts';
import { eraseCapsule } from '../../hooks/use-capsules.ts';
import type { Resource } from '../../hooks/use-resource.ts';
import type { ChangeAddress, DashboardAddress, TabValue } from './address.ts';
import { CapsuleList } from './capsule-list.tsx';

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
  /** Fetches lists and summary again; never throws. */
  refreshAll: () => Promise<unknown>;
  now: Date;
}

export function CapsuleTabs(props: CapsuleTabsProps) {
  const { lists, queued, address, change, refreshAll, now } = props;
  const tabs = useRef<HTMLDivElement>(null);
  const failure = useRef(0);
  const shown = lists[address.tab];
  const erase = async (id: string) => {
    const text = 'Are you sure you want to delete this capsule? This action cannot be undone.';
    const title = shown.data?.capsules.find((capsule) => capsule.id === id)?.title;
    const question = title === undefined ? 'Delete this capsule?' : `Delete “${title}”?`;
    if (!(await confirm(question, text, { danger: true }))) return;
    try {
      await eraseCapsule(id);
    } catch {
      failure.current = toasts.failure('Failed to delete capsule. Please try again.');
      return;
    }
    toasts.dismiss(failure.current);
    await refreshAll();
    // The pressed button is gone with its card: move the focus to the tab.
    if (document.activeElement === document.body) {
      tabs.current?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
    }
    toasts.success('Capsule deleted successfully!');
  };

  const isWholeList = address.query === '' && address.page === 1;
  return (
    <div ref={tabs}>
      <p className="visually-hidden" role="status">
        {address.query === '' || !shown.data ? '' : foundText(countOf(shown))}
      </p>
      <Tabs
        label="Capsules"
        value={address.tab}
        onChange={(tab) => change({ tab, page: 1 })}
        tabs={TABS.map(({ value, label, type }) => ({
          value,
          label: `${label} (${countOf(lists[value])})`,
          panel: (
            <CapsuleList
              type={type}
              list={lists[value]}
              query={address.query}
              queued={type === 'created' && isWholeList ? queued : []}
              now={now}
              onPage={(page, options) => change({ page }, options)}
              onOpen={(capsuleId) => change({ capsuleId })}
              onOpening={refreshAll}
              onDelete={type === 'created' ? erase : undefined}
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
