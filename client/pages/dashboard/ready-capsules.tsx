import { Button } from '../../components/button.tsx';
import { CapsuleSeal } from '../../components/capsule-seal.tsx';
import { Card } from '../../components/card.tsx';
import type { Openings } from '../../hooks/openings.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { longDate } from '../format.ts';
import styles from './ready-capsules.module.css';

/** More than these are shown as a list of their own. */
const SHOWN_MAX = 3;

export const openedText = (count: number) =>
  count === 1 ? 'A capsule has opened for you' : `${count} capsules have opened for you`;

interface ReadyCapsulesProps {
  openings: Openings;
  now: Date;
  onOpen: (id: string) => void;
  /** Shows all that wait, in the received list. */
  onAll: () => void;
}

/** Says above everything else which capsules have opened for this person. */
export function ReadyCapsules({ openings, now, onOpen, onAll }: ReadyCapsulesProps) {
  const { waiting, count } = openings;
  const userId = useUserId();
  if (count === 0) return null;
  return (
    <Card className={`stack gap-16 to-start ${styles.ready}`} aria-label={openedText(count)}>
      <h2 data-focus-home>{openedText(count)}</h2>
      <ul className="stack gap-16 wide">
        {waiting.slice(0, SHOWN_MAX).map((capsule) => (
          <li key={capsule.id} className={`stack middle gap-12-16 ${styles.capsule}`}>
            <CapsuleSeal
              capsule={{ ...capsule, timeZone: 'UTC', locked: false }}
              ready
              now={now}
              size={72}
            />
            <div className="breaks">
              <h3 className="plaintext">{capsule.title}</h3>
              <p className="quiet small">
                Sealed by {capsule.senderId === userId ? 'you' : <bdi>{capsule.senderName}</bdi>} on{' '}
                {longDate(capsule.createdAt)}
              </p>
            </div>
            <Button
              variant="primary"
              aria-label={`Open it: ${capsule.title}`}
              data-capsule={capsule.id}
              onClick={() => onOpen(capsule.id)}
            >
              Open it
            </Button>
          </li>
        ))}
      </ul>
      {count > SHOWN_MAX && (
        <Button variant="quiet" onClick={onAll}>
          Show all {count}
        </Button>
      )}
    </Card>
  );
}
