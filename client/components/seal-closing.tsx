import { arcPath, BARK_RADIUS, ringsOf } from '../../shared/seal-geometry.ts';
import { Seal, type SealProps } from './seal.tsx';
import styles from './seal-closing.module.css';

const SIZE = 160;

/** When the last ring begins to be drawn, in milliseconds. */
const LAST_RING_MS = 620;

/**
 * The animation of a seal that closes: its rings are drawn, the innermost first, then the hasp
 * falls. It ends as the locked seal. Decorative: text next to it says so.
 */
export function SealClosing({ id, years, day }: Pick<SealProps, 'id' | 'years' | 'day'>) {
  const rings = ringsOf(id, years, SIZE);
  const bark = { radius: BARK_RADIUS, waves: rings.at(-1)?.waves ?? [] };
  const lines = [...rings, bark];
  return (
    <div className={`stack ${styles.closing}`}>
      <Seal id={id} years={years} progress={0} locked {...(day ? { day } : {})} size={SIZE} />
      <svg className={styles.ink} aria-hidden="true" viewBox="0 0 160 160">
        {lines.map((line, index) => (
          <path
            key={line.radius}
            d={arcPath(line, 0, 1)}
            pathLength="1"
            style={{ animationDelay: `${Math.round((LAST_RING_MS * index) / lines.length)}ms` }}
          />
        ))}
      </svg>
    </div>
  );
}
