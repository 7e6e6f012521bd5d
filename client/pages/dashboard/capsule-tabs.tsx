import { useCallback, useRef } from 'react';
import type { CapsuleType } from '../../../shared/api/capsules.ts';
import type { OutboxRow } from '../../local/db.ts';
import type { CachedPage } from '../../local/page-memory.ts';
import { eraseCapsule } from '../../state/capsules.ts';
import type { Kept } from '../../state/use-kept.ts';
import { useIdle } from '../../state/when-idle.ts';
import { confirm } from '../../ui/confirm.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { toasts } from '../../ui/toast.tsx';
import type { ChangeAddress, DashboardAddress, TabValue } from './address.ts';
import { CapsuleList } from './capsule-list.tsx';

const TABS: readonly { value: TabValue; label: string; type: CapsuleType }[] = [
  { value: 'my-capsules', label: 'My Capsules', type: 'created' },
  { value: 'received', label: 'Shared With Me', type: 'received' },
];

interface CapsuleTabsProps {
  owner: string | null;
  lists: Record<TabValue, Kept<CachedPage>>;
  /** Sealed on this device and not sent yet. */
  queued: readonly OutboxRow[];
  address: DashboardAddress;
  change: ChangeAddress;
  /** Asks anew for lists and figures; never throws. */
  refreshAll: () => Promise<unknown>;
  now: Date;
}

export function CapsuleTabs(props: CapsuleTabsProps) {
  const { owner, lists, queued, address, change, refreshAll, now } = props;
  const tabs = useRef<HTMLDivElement>(null);
  const failure = useRef(0);
  // The cards stay as they are while these do.
  const turn = useCallback(
    (page: number, options?: { replace: boolean }) => change({ page }, options),
    [change],
  );
  const open = useCallback((capsuleId: string) => change({ capsuleId }), [change]);
  const erase = useCallback(
    async (id: string) => {
      const question =
        'Are you sure you want to delete this capsule? This action cannot be undone.';
      if (owner === null || !(await confirm(question, { danger: true }))) return;
      try {
        await eraseCapsule(owner, id);
      } catch {
        failure.current = toasts.failure('Failed to delete capsule. Please try again.');
        return;
      }
      toasts.dismiss(failure.current);
      await refreshAll();
      // The button that was pressed is gone; the focus must not be.
      if (document.activeElement === document.body) {
        tabs.current?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
      }
      toasts.success('Capsule deleted successfully!');
    },
    [owner, refreshAll],
  );

  // The cards of the other tab come once those in sight are there.
  const isIdle = useIdle();

  const isWholeList = address.query === '' && address.page === 1;
  const shown = lists[address.tab];
  return (
    <div ref={tabs}>
      <p className="visually-hidden" role="status">
        {address.query === '' || !shown.value ? '' : foundText(countOf(shown))}
      </p>
      <Tabs
        label="Capsules"
        value={address.tab}
        onChange={(tab) => change({ tab, page: 1 })}
        tabs={TABS.map(({ value, label, type }) => ({
          value,
          label: `${label} (${countOf(lists[value])})`,
          panel: (value === address.tab || isIdle) && (
            <CapsuleList
              type={type}
              list={lists[value]}
              query={address.query}
              queued={type === 'created' && isWholeList ? queued : NONE}
              now={now}
              onPage={turn}
              onOpen={open}
              onOpening={refreshAll}
              {...(type === 'created' ? { onDelete: erase } : {})}
            />
          ),
        }))}
      />
    </div>
  );
}

const NONE: readonly OutboxRow[] = [];

function foundText(count: number): string {
  if (count === 0) return 'No capsules found';
  return count === 1 ? '1 capsule found' : `${count} capsules found`;
}

function countOf({ value }: Kept<CachedPage>): number {
  return value?.pagination.totalItems ?? value?.capsules.length ?? 0;
}
