import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import {
  type CapsulePage,
  type CapsuleType,
  type CapsuleView,
  capsuleViewSchema,
} from '../../../shared/api/capsules.ts';
import { isConnectionError } from '../../api/errors.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Pager } from '../../components/pager.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useMedia } from '../../components/use-media.ts';
import { useOnline } from '../../hooks/device-state.ts';
import type { Openings } from '../../hooks/openings.ts';
import { useToldDrafts } from '../../hooks/use-account-drafts.ts';
import { useWaiting } from '../../hooks/use-outbox.ts';
import type { Resource } from '../../hooks/use-resource.ts';
import { useAuth } from '../../hooks/use-session.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import type { CapsuleActions } from '../capsule/use-capsule-actions.ts';
import { updatedText } from '../format.ts';
import type { ChangeAddress, DashboardAddress } from './address.ts';
import { CapsuleCard } from './capsule-card.tsx';
import styles from './capsule-list.module.css';

interface CapsuleListProps {
  type: CapsuleType;
  /** Whether the other tab has any, for who has created none. */
  hasReceived: boolean;
  list: Resource<CapsulePage>;
  address: DashboardAddress;
  change: ChangeAddress;
  now: Date;
  openings: Openings | null;
  actions: CapsuleActions;
}

/** A list of capsules, or why it isn't there. */
export function CapsuleList(props: CapsuleListProps) {
  const { list, address, change } = props;
  const hasHead = list.isLoading || isPartOf(address) || Boolean(list.data?.capsules.length);
  const top = useRef<HTMLElement>(null);
  usePageThatExists(list.data, change);
  // The pressed button goes with its page: the focus waits where the new one begins.
  const turnTo: TurnTo = (to) => {
    top.current?.focus({ preventScroll: true });
    top.current?.scrollIntoView({ block: 'start' });
    change(to);
  };
  return (
    <section
      className={`stack gap-16 ${styles.list}`}
      ref={top}
      tabIndex={-1}
      data-focus-home
      aria-label={pageLabel(address.page, list.data)}
    >
      {hasHead && <Head {...props} />}
      {list.data ? (
        <ListPage {...props} page={list.data} turnTo={turnTo} />
      ) : (
        <NotCached list={list} address={address} change={change} />
      )}
      {/* It comes late: above an empty list it would move that. */}
      {!hasHead && <Age list={list} now={props.now} />}
    </section>
  );
}

export function isPartOf({ query, view, hidden }: DashboardAddress): boolean {
  return query !== '' || view !== 'newest' || hidden;
}

type TurnTo = (to: Parameters<ChangeAddress>[0]) => void;

/** What is shown, and how old it is when no newer one could be had. It stays while another part loads. */
function Head({ list, address, change, now }: CapsuleListProps) {
  return (
    <div className={`cluster middle spread ${styles.head}`}>
      <Age list={list} now={now} />
      {address.hidden ? (
        <Button variant="quiet" onClick={() => change({ hidden: false, page: 1 })}>
          Back to all
        </Button>
      ) : (
        <ViewSelect view={address.view} onView={(view) => change({ view, page: 1 })} />
      )}
    </div>
  );
}

function Age({ list, now }: Pick<CapsuleListProps, 'list' | 'now'>) {
  const online = useOnline();
  if (!list.data || list.error === null) return null;
  return (
    <p className={`row middle gap-4 narrows quiet small ${styles.age}`}>
      {online && isConnectionError(list.error) && 'No connection · '}
      {updatedText(list.fetchedAt, now)}
    </p>
  );
}

/** One page of capsules. */
function ListPage(props: CapsuleListProps & { page: CapsulePage; turnTo: TurnTo }) {
  const { type, page, turnTo, address, change, now, openings, actions } = props;
  const { capsules, pagination, hiddenItems = 0, binnedItems = 0 } = page;
  return (
    <>
      {capsules.length === 0 ? (
        <Empty {...props} hasHidden={hiddenItems > 0} />
      ) : (
        <ul className={`stack gap-16 ${styles.grid}`}>
          {capsules.map((capsule) => (
            <li key={capsule.id} className="stack" data-capsule={capsule.id}>
              <CapsuleCard
                capsule={capsule}
                list={type}
                isReady={openings?.isReady(capsule) ?? false}
                now={now}
                onOpen={(capsuleId) => change({ capsuleId })}
                actions={actions}
              />
            </li>
          ))}
        </ul>
      )}
      {capsules.length > 0 && (
        <Pager
          pagination={pagination}
          label={type === 'created' ? 'Pages of my capsules' : 'Pages of capsules shared with me'}
          onPage={(next) => turnTo({ page: next })}
        />
      )}
      {hiddenItems > 0 && !address.hidden && (
        <Button
          variant="quiet"
          className={`outdent ${styles.hidden}`}
          onClick={() => turnTo({ hidden: true, page: 1, query: '', view: 'newest' })}
        >
          Out of sight ({hiddenItems})
        </Button>
      )}
      {binnedItems > 0 && (
        <div className={`outdent ${styles.hidden}`}>
          <ButtonLink to="/dashboard/bin" variant="quiet">
            Bin ({binnedItems})
          </ButtonLink>
        </div>
      )}
    </>
  );
}

const VIEWS: Record<CapsuleView, string> = {
  newest: 'All, newest first',
  opening: 'All, by opening day',
  sealed: 'Sealed',
  ready: 'Ready to open',
  opened: 'Opened',
};

function ViewSelect({ view, onView }: { view: CapsuleView; onView: (view: CapsuleView) => void }) {
  return (
    <select
      className={`target at-end copper strong ${styles.view}`}
      aria-label="Show"
      value={view}
      onChange={({ target }) => onView(capsuleViewSchema.parse(target.value))}
    >
      {Object.entries(VIEWS).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** The page that is asked for has its name before it is there: the focus comes first. */
function pageLabel(page: number, list: CapsulePage | null): string {
  return list ? `Page ${page} of ${Math.max(1, list.pagination.totalPages)}` : `Page ${page}`;
}

function NotCached(props: Pick<CapsuleListProps, 'list' | 'address' | 'change'>) {
  const { list, address, change } = props;
  const isPart = isPartOf(address);
  const device = useMedia('(width < 45rem)') ? 'phone' : 'device';
  if (list.isLoading) {
    return (
      <div className={`centre ${styles.waiting}`}>
        <Spinner label="Loading capsules..." />
      </div>
    );
  }
  return (
    <EmptyState
      sentence={
        isConnectionError(list.error)
          ? isPart || address.page > 1
            ? 'Not saved on this device.'
            : `Your list isn't on this ${device} yet. What you seal is safe here, and goes out by itself.`
          : 'Your capsules could not be loaded.'
      }
      action={
        <div className="cluster gap-12 mid-row">
          <Button onClick={() => void list.refresh()}>Try again</Button>
          {address.page > 1 && <Button onClick={() => change({ page: 1 })}>First page</Button>}
        </div>
      }
    />
  );
}

/** Why a part of the list is empty. Where all are shown, none is there at all. */
const NONE_IN: Partial<Record<CapsuleView, string>> = {
  sealed: 'Nothing here is sealed.',
  ready: 'Nothing waits to be opened.',
  opened: 'Nothing here has been opened yet.',
};

function Empty(props: CapsuleListProps & { hasHidden: boolean }) {
  const { type, list, change, hasHidden, hasReceived } = props;
  const userId = useUserId();
  const { drafts = [] } = useToldDrafts(userId);
  const isWaiting = useWaiting(userId) > 0;
  const { user } = useAuth();
  const { query, view, hidden } = props.address;
  if (query !== '') {
    return (
      <EmptyState
        sentence={`No capsules ${isConnectionError(list.error) ? 'on this device ' : ''}match “${query}”.`}
        action={<Button onClick={() => change({ query: '', page: 1 })}>Clear search</Button>}
      />
    );
  }
  if (hidden) return <EmptyState sentence="Nothing is out of sight." />;
  const none = NONE_IN[view];
  if (none) {
    const showAll = <Button onClick={() => change({ view: 'newest', page: 1 })}>Show all</Button>;
    return <EmptyState sentence={none} action={showAll} />;
  }
  if (hasHidden) return <EmptyState sentence="You have moved every capsule here out of sight." />;
  if (type === 'created' && isWaiting) {
    return <EmptyState sentence="Your capsule is shown here once it has been sent." />;
  }
  if (type === 'created' && drafts.length > 0) {
    return <p className="quiet small">Your capsules are shown here once you've created them.</p>;
  }
  const isReader = type === 'created' && hasReceived;
  const next = isReader ? '' : ' Your first could be a letter to yourself.';
  return (
    <EmptyState
      sentence={
        type === 'created'
          ? `You haven't created a capsule yet.${next}`
          : 'Nobody has shared a capsule with you yet. Why not send the first one?'
      }
      action={
        <div className={`stack gap-16 ${styles.first}`}>
          {isReader && (
            <Button variant="primary" onClick={() => change({ tab: 'received', page: 1 })}>
              See what others sent you
            </Button>
          )}
          <ButtonLink to="/create" variant={isReader ? 'secondary' : 'primary'}>
            {type === 'created' ? 'Create Your First Capsule' : 'Create a Capsule'}
          </ButtonLink>
          {type === 'created' && !isReader && <Beginnings />}
          {type === 'created' && user && (
            <p className="small breaks">
              We'll email you at {user.email}. <Link to="/profile/addresses">Change</Link>
            </p>
          )}
        </div>
      }
    />
  );
}

/** Three first capsules, with title, day and an opening line filled in. */
const BEGINNINGS = [
  ['year', 'A letter to yourself in a year'],
  ['child', "For a child's 18th birthday"],
  ['miss', 'For someone you miss'],
] as const;

function Beginnings() {
  return (
    <ul className={`stack gap-8 ${styles.beginnings}`}>
      {BEGINNINGS.map(([name, text]) => (
        <li key={name}>
          <ButtonLink to={`/create?begin=${name}`} wide>
            {text}
          </ButtonLink>
        </li>
      ))}
    </ul>
  );
}

/** Goes to the last page when the shown page no longer exists. */
function usePageThatExists(data: CapsulePage | null, change: ChangeAddress) {
  const last = Math.max(1, data?.pagination.totalPages ?? 1);
  const isBeyond = data !== null && data.pagination.currentPage > last;
  useEffect(() => {
    if (isBeyond) change({ page: last }, { replace: true });
  }, [isBeyond, last, change]);
}
