import type { ReactNode } from 'react';
import { Ellipsis, Flag } from '../../components/icon.tsx';
import { Menu } from '../../components/menu.tsx';
import { askToReport } from '../people/ask.tsx';
import styles from './in-turn.module.css';
import { type Part, whatIn } from './parts.ts';

/** As many names may stand between the first letter and the second one. */
const UNFOLDED_MAX = 8;

function headingOf({ id }: Part): string {
  return `part-${id}`;
}

function goTo(part: Part): void {
  const heading = document.getElementById(headingOf(part));
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

/** Who else is in the capsule and with what, each name leading there. */
export function Others({ parts }: { parts: readonly Part[] }) {
  return (
    <nav aria-label="Also in this capsule">
      <details className={styles.others} open={parts.length <= UNFOLDED_MAX}>
        <summary className="target quiet">{parts.length} others have added to it</summary>
        <ul className="line-below">
          {parts.map((part) => (
            <li key={part.id}>
              <button
                type="button"
                className="row baseline spread gap-12 wide target line-above"
                onClick={() => goTo(part)}
              >
                <bdi className="copper serif large breaks">{part.name}</bdi>{' '}
                <span className="rigid quiet small">{whatIn(part)}</span>
              </button>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

interface InTurnProps {
  part: Part;
  /** From 1 on. */
  place: number;
  of: number;
  children: ReactNode;
}

/**
 * One person's part of a capsule by many: a turn of the page, with their name. The sender's needs none,
 * except for those who go from heading to heading.
 */
export function InTurn({ part, place, of, children }: InTurnProps) {
  const isSenders = place === 1;
  return (
    <article className="stack gap-24" aria-labelledby={headingOf(part)}>
      <header
        className={isSenders ? 'visually-hidden' : `row gap-12 baseline spread ${styles.turn}`}
      >
        <h3 className="serif breaks" id={headingOf(part)} tabIndex={-1}>
          <bdi>{part.name}</bdi>
        </h3>
        <p className="stamp rigid at-end quiet">
          {place} of {of}
        </p>
        {!isSenders && <PartMenu part={part} />}
      </header>
      {children}
    </article>
  );
}

function PartMenu({ part: { id, name } }: { part: Part }) {
  const report = {
    label: 'Report',
    icon: Flag,
    onSelect: () => void askToReport({ contribution: { id, name }, capsule: null, person: null }),
  };
  return (
    <Menu
      label={`More about what ${name} added`}
      trigger={<Ellipsis size={20} />}
      items={[report]}
    />
  );
}
