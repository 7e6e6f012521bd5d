import { memo, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import type { CapsuleType } from '../../../shared/api/capsules.ts';
import { isConnectionError } from '../../http/call-error.ts';
import type { OutboxRow } from '../../local/db.ts';
import type { CachedPage } from '../../local/page-memory.ts';
import type { Kept } from '../../state/use-kept.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CloudOff } from '../../ui/icon.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { lazyPart } from '../lazy-part.ts';
import { updatedText } from '../words.ts';
import { CapsuleCard } from './capsule-card.tsx';
import styles from './capsule-list.module.css';
import { useOpeningOnTime } from './use-opening-on-time.ts';

/** Also asked for ahead of time: it may be needed when there is no connection any more. */
export const QueuedCard = lazyPart(async () => (await import('./queued-card.tsx')).QueuedCard);

interface CapsuleListProps {
  type: CapsuleType;
  list: Kept<CachedPage>;
  query: string;
  /** Sealed on this device and not sent yet: they stand before the first. */
  queued: readonly OutboxRow[];
  now: Date;
  onPage: (page: number, options?: { replace: boolean }) => void;
  onOpen: (id: string) => void;
  /** The time of a capsule on the page has come. */
  onOpening: () => void;
  /** Absent where nothing may be deleted. */
  onDelete?: (id: string) => void;
}

/** One page of capsules: what the device keeps at once, its age beside it. */
export const CapsuleList = memo(function CapsuleList(props: CapsuleListProps) {
  const { type, list, query, queued, now, onPage, onOpen, onOpening, onDelete } = props;
  const { top, turnTo } = usePageTurning(list, onPage);
  usePageThatExists(list.value, onPage);
  useOpeningOnTime(list.value?.capsules, now, onOpening);
  const slots = useSlots(list.value);

  const waiting = queued.map((item) => (
    <li key={item.id}>
      <Suspense fallback={null}>
        <QueuedCard item={item} now={now} />
      </Suspense>
    </li>
  ));
  if (!list.value) {
    return (
      <>
        {waiting.length > 0 && <ul className={styles.grid}>{waiting}</ul>}
        <NothingKept list={list} top={top} />
      </>
    );
  }
  const { capsules, pagination, fetchedAt } = list.value;
  if (capsules.length === 0 && waiting.length === 0) return <Empty type={type} query={query} />;
  return (
    <section className={styles.list} ref={top} tabIndex={-1} aria-label={pageLabel(pagination)}>
      <p className={styles.age}>
        {isConnectionError(list.error) && <CloudOff size={16} aria-hidden="true" />}
        {isConnectionError(list.error) && 'No connection · '}
        {updatedText(fetchedAt, now)}
      </p>
      <ul className={styles.grid}>
        {waiting}
        {capsules.map((capsule) => (
          <li key={slots.get(capsule.id)}>
            <CapsuleCard
              capsule={capsule}
              list={type}
              now={now}
              onOpen={onOpen}
              {...(onDelete ? { onDelete } : {})}
            />
          </li>
        ))}
      </ul>
      {capsules.length > 0 && (
        <Pager
          pagination={pagination}
          label={type === 'created' ? 'Pages of my capsules' : 'Pages of capsules shared with me'}
          onPage={turnTo}
        />
      )}
    </section>
  );
});

/** The buttons that were pressed go with their page: reading goes on at the top of the next. */
function usePageTurning(list: Kept<CachedPage>, onPage: CapsuleListProps['onPage']) {
  const { value } = list;
  const isWaiting = value === null && isOnItsWay(list);
  const top = useRef<HTMLDivElement>(null);
  const awaited = useRef<number | null>(null);
  const shown = useRef<number | null>(null);
  const isMissed = useRef(false);
  useEffect(() => {
    if (isWaiting) return;
    const page = value?.pagination.currentPage ?? null;
    const { activeElement } = document;
    const isInside = top.current?.contains(activeElement) ?? false;
    // The one that was asked for, or why it is not there; and should it come after all, unless
    // the person has gone on to something else.
    const isAwaited = awaited.current !== null && (page === null || page === awaited.current);
    const isWanted =
      isAwaited && (!isMissed.current || isInside || activeElement === document.body);
    // A button that had the focus is another capsule's now.
    const isTurned = shown.current !== null && shown.current !== page;
    if (isWanted || (isTurned && isInside)) top.current?.focus({ preventScroll: true });
    if (isWanted) top.current?.scrollIntoView({ block: 'start' });
    shown.current = page;
    isMissed.current = page === null;
    if (isAwaited && page !== null) awaited.current = null;
  }, [value, isWaiting]);
  const turnTo = (page: number) => {
    awaited.current = page;
    onPage(page);
  };
  return { top, turnTo };
}

function isOnItsWay({ isRead, isRefreshing }: Kept<unknown>): boolean {
  return !isRead || isRefreshing;
}

interface Slots {
  of: CachedPage | null;
  byId: ReadonlyMap<string, number>;
}

const NO_SLOTS: Slots = { of: null, byId: new Map() };

/**
 * Where each card is drawn. The cards of another page are drawn into those of this one: far less
 * is styled anew. As long as a page stands, a card and the focus on it stay with their capsule.
 */
function useSlots(value: CachedPage | null): Slots['byId'] {
  const [slots, setSlots] = useState(NO_SLOTS);
  if (value === slots.of) return slots.byId;
  const next = { of: value, byId: takeSlots(slots, value) };
  setSlots(next);
  return next.byId;
}

function takeSlots({ of, byId }: Slots, value: CachedPage | null): Slots['byId'] {
  const ids = value?.capsules.map(({ id }) => id) ?? [];
  if (of?.pagination.currentPage !== value?.pagination.currentPage) {
    return new Map(ids.map((id, index) => [id, index]));
  }
  let free = Math.max(-1, ...byId.values()) + 1;
  return new Map(ids.map((id) => [id, byId.get(id) ?? free++]));
}

function pageLabel({ currentPage, totalPages }: CachedPage['pagination']): string {
  return `Page ${currentPage} of ${Math.max(1, totalPages)}`;
}

interface NothingKeptProps {
  list: Kept<CachedPage>;
  top: RefObject<HTMLDivElement | null>;
}

function NothingKept({ list, top }: NothingKeptProps) {
  if (isOnItsWay(list)) {
    return (
      <div className={styles.waiting}>
        <Spinner label="Loading capsules..." />
      </div>
    );
  }
  return (
    <div className={styles.list} ref={top} tabIndex={-1}>
      <EmptyState
        sentence={
          isConnectionError(list.error)
            ? 'Not saved on this device.'
            : 'Your capsules could not be loaded.'
        }
        action={<Button onClick={() => void list.refresh()}>Try again</Button>}
      />
    </div>
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
