import { useEffect, useRef } from 'react';
import type { CapsuleType } from '../../../shared/api/capsules.ts';
import type { OutboxRow } from '../../local/db.ts';
import type { CachedPage } from '../../local/lists.ts';
import type { Kept } from '../../state/use-kept.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CloudOff } from '../../ui/icon.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { isConnectionError, updatedText } from '../words.ts';
import { CapsuleCard } from './capsule-card.tsx';
import styles from './capsule-list.module.css';
import { QueuedCard } from './queued-card.tsx';

interface CapsuleListProps {
  type: CapsuleType;
  list: Kept<CachedPage>;
  query: string;
  /** Sealed on this device and not sent yet: they stand before the first. */
  queued: readonly OutboxRow[];
  now: Date;
  onPage: (page: number, options?: { replace: boolean }) => void;
  onOpen: (id: string) => void;
  /** Absent where nothing may be deleted. */
  onDelete?: (id: string) => void;
}

/** One page of capsules: what the device keeps at once, its age beside it. */
export function CapsuleList(props: CapsuleListProps) {
  const { type, list, query, queued, now, onPage, onOpen, onDelete } = props;
  const top = useRef<HTMLDivElement>(null);
  usePageThatExists(list.value, onPage);
  useOpeningOnTime(list, now);

  const waiting = queued.map((item) => (
    <li key={item.id}>
      <QueuedCard item={item} now={now} />
    </li>
  ));
  if (!list.value) {
    return (
      <>
        {waiting.length > 0 && <ul className={styles.grid}>{waiting}</ul>}
        <NothingKept list={list} />
      </>
    );
  }
  const { capsules, pagination, fetchedAt } = list.value;
  if (capsules.length === 0 && waiting.length === 0) return <Empty type={type} query={query} />;
  return (
    <div className={styles.list} ref={top}>
      <p className={styles.age}>
        {isConnectionError(list.error) && <CloudOff size={16} aria-hidden="true" />}
        {isConnectionError(list.error) && 'No connection · '}
        {updatedText(fetchedAt, now)}
      </p>
      <ul className={styles.grid}>
        {waiting}
        {capsules.map((capsule) => (
          <li key={capsule.id}>
            <CapsuleCard
              capsule={capsule}
              list={type}
              now={now}
              onOpen={() => onOpen(capsule.id)}
              {...(onDelete ? { onDelete: () => onDelete(capsule.id) } : {})}
            />
          </li>
        ))}
      </ul>
      {capsules.length > 0 && (
        <Pager
          pagination={pagination}
          label={type === 'created' ? 'Pages of my capsules' : 'Pages of capsules shared with me'}
          onPage={(page) => {
            onPage(page);
            top.current?.scrollIntoView({ block: 'start' });
          }}
        />
      )}
    </div>
  );
}

function NothingKept({ list }: { list: Kept<CachedPage> }) {
  if (!list.isRead || list.isRefreshing) {
    return (
      <div className={styles.waiting}>
        <Spinner label="Loading capsules..." />
      </div>
    );
  }
  return (
    <EmptyState
      sentence={
        isConnectionError(list.error)
          ? 'Not saved on this device.'
          : 'Your capsules could not be loaded.'
      }
      action={<Button onClick={() => void list.refresh()}>Try again</Button>}
    />
  );
}

function Empty({ type, query }: Pick<CapsuleListProps, 'type' | 'query'>) {
  if (query !== '') return <EmptyState sentence={`No capsules match “${query}”.`} />;
  return (
    <EmptyState
      sentence={
        type === 'created'
          ? 'You have not created a capsule yet. The first could be a letter to yourself.'
          : 'Nobody has shared a capsule with you yet. Why not send the first one?'
      }
      action={
        <ButtonLink to="/create" variant="primary">
          {type === 'created' ? 'Create Your First Capsule' : 'Create a Capsule'}
        </ButtonLink>
      }
    />
  );
}

/** After the last capsule of the last page is gone, the page before it is the last. */
function usePageThatExists(value: CachedPage | null, onPage: CapsuleListProps['onPage']) {
  const last = Math.max(1, value?.pagination.totalPages ?? 1);
  const isBeyond = value !== null && value.pagination.currentPage > last;
  const go = useRef(onPage);
  useEffect(() => {
    go.current = onPage;
  });
  useEffect(() => {
    if (isBeyond) go.current(last, { replace: true });
  }, [isBeyond, last]);
}

/** Asks again in the minute in which a capsule on the page opens. */
function useOpeningOnTime({ value, refresh }: Kept<CachedPage>, now: Date) {
  const isDue = value?.capsules.some(
    ({ locked, unlockAt }) => locked && Date.parse(unlockAt) <= now.getTime(),
  );
  useEffect(() => {
    if (isDue && now) void refresh();
  }, [isDue, now, refresh]);
}
