import { arcPath, growRings } from '../../ui/seal-geometry.ts';
import styles from './auth-frame.module.css';

const RINGS = growRings('still rings', 12, 8);

/** A trunk cut across, drawn in fine lines; decorative. */
export function StillRings() {
  return (
    <svg className={styles.rings} viewBox="0 0 160 160" aria-hidden="true">
      {RINGS.map((ring) => (
        <path key={ring.radius} d={arcPath(ring, 0, 1)} strokeWidth={ring.gap * 0.11} />
      ))}
    </svg>
  );
}
