import type { CSSProperties, ReactNode } from 'react';
import type { DashboardSummary, NextUnlock } from '../../../shared/api/capsules.ts';
import { daysRemaining, unlockCardText, unlockColour } from '../../../shared/capsule-time.ts';
import { isConnectionError } from '../../api/errors.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Fact } from '../../components/fact.tsx';
import { Meter } from '../../components/progress-bar.tsx';
import { useMedia } from '../../components/use-media.ts';
import type { Resource } from '../../hooks/use-resource.ts';
import { longDay, waitText } from '../format.ts';
import styles from './summary.module.css';

const TILES: readonly [label: string, value: (summary: DashboardSummary) => number][] = [
  ['Total capsules', ({ totalCapsules }) => totalCapsules],
  ['Still locked', ({ lockedCapsules }) => lockedCapsules],
  ['Created', ({ createdCapsules }) => createdCapsules],
  ['Received', ({ receivedCapsules }) => receivedCapsules],
  ['Opening within 7 days', ({ upcomingUnlocks }) => upcomingUnlocks.thisWeek],
  ['Opening within 30 days', ({ upcomingUnlocks }) => upcomingUnlocks.thisMonth],
];

interface SummaryProps {
  summary: Resource<DashboardSummary>;
  children: ReactNode;
}

/** From this many capsules on the figures stand open beside the list, where there is room. */
const MANY = 10;

/** The figures, in one line that unfolds; of a newcomer none, but what has failed. */
export function Summary({ summary, children }: SummaryProps) {
  const { data } = summary;
  const isWide = useMedia('(width >= 64rem)');
  return (
    <div>
      {data?.totalCapsules !== 0 && (
        <section aria-label="Summary">
          <details open={isWide && (data?.totalCapsules ?? 0) >= MANY}>
            <summary className={`target quiet small ${styles.line}`}>
              {data && data.totalCapsules > 1 ? lineOf(data) : 'Summary'}
            </summary>
            <div className="stack gap-24 slim">
              <dl className={`stack outlined figures ${styles.tiles}`}>
                {TILES.map(([label, read]) => (
                  <Fact key={label} name={label}>
                    {data ? read(data) : '–'}
                  </Fact>
                ))}
              </dl>
              {children}
            </div>
          </details>
        </section>
      )}
      <p className="silent quiet small" role="status">
        {noteOf(summary)}
      </p>
    </div>
  );
}

function noteOf({ data, error, isLoading }: Resource<DashboardSummary>): string {
  if (!data && isLoading) return 'Loading summary...';
  // Without a connection, the list beside it says how old the figures are, or that there are none.
  if (error === null || isConnectionError(error)) return '';
  return 'Failed to load dashboard summary.';
}

/** '6 capsules, 4 still locked, 1 opening within 30 days' */
function lineOf({ totalCapsules, lockedCapsules, upcomingUnlocks }: DashboardSummary): string {
  const parts = [`${totalCapsules} capsules`];
  if (lockedCapsules > 0) parts.push(`${lockedCapsules} still locked`);
  const { thisMonth } = upcomingUnlocks;
  if (thisMonth > 0) parts.push(`${thisMonth} opening within 30 days`);
  return parts.join(', ');
}

/** How much of the person's storage their files use. */
export function StorageMeter({ summary }: { summary: DashboardSummary | null }) {
  if (!summary) return null;
  const { totalMB, limitMB, percentageUsed } = summary.storageUsed;
  const text = `${totalMB.toFixed(1)} MB of ${limitMB.toFixed(1)} MB`;
  return (
    <Card title="Storage">
      <div className={`cluster spread ${styles.storage}`}>
        <span className="stamp">{text}</span>
        <span className="stamp">{percentageUsed.toFixed(1)}%</span>
      </div>
      <Meter
        label="Storage used"
        percent={Math.min(100, percentageUsed)}
        isNearlyFull={percentageUsed >= 90}
        text={`${text}, ${percentageUsed.toFixed(1)}%`}
      />
    </Card>
  );
}

interface NextUnlocksProps {
  summary: DashboardSummary | null;
  now: Date;
  onOpen: (id: string) => void;
}

/** The next capsules to open, soonest first. */
export function NextUnlocks({ summary, now, onOpen }: NextUnlocksProps) {
  if (!summary || summary.nextUnlocks.length === 0) return null;
  return (
    <Card title="Upcoming unlocks">
      <ol className="stack gap-16">
        {summary.nextUnlocks.map((next) => (
          <li key={next.id}>
            <UnlockCard next={next} now={now} onOpen={() => onOpen(next.id)} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function UnlockCard(props: { next: NextUnlock; now: Date; onOpen: () => void }) {
  const { next, now, onOpen } = props;
  const capsule = { dateToUnlock: next.unlockDate, timeZone: next.timeZone, locked: true };
  // The server's count, less the days since it was fetched.
  const days = Math.min(next.daysRemaining, daysRemaining(capsule, now));
  const colour = unlockColour(days);
  // A device whose clock has reached the day cannot know yet that the capsule has opened.
  const isOpen = next.daysRemaining <= 0;
  return (
    <button
      type="button"
      className={`stack gap-4 wide target ${styles.unlock}`}
      data-colour={colour}
      style={{ '--tone': `var(--${colour})` } as CSSProperties}
      onClick={onOpen}
    >
      <span className={`cluster middle spread quiet ${styles.when}`}>
        <Badge tone={colour}>
          {days > 0 || isOpen ? unlockCardText(days) : waitText(capsule, now)}
        </Badge>
        <time className="stamp" dateTime={next.unlockDate}>
          {longDay(next.unlockDate)}
        </time>
      </span>
      <span className={`strong breaks two-lines ${styles.title}`}>{next.title}</span>
      <span className="quiet small breaks">
        {next.type === 'created' ? 'Created by you' : `Received · From ${next.senderName}`}
      </span>
    </button>
  );
}
