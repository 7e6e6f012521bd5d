import { Seal, type SealProps } from './seal.tsx';
import styles from './seal-opening.module.css';

/**
 * The animation of an opening seal, which ends as the open seal. Decorative: text next to it says
 * so.
 */
export function SealOpening(seal: Pick<SealProps, 'id' | 'years' | 'day' | 'size'>) {
  const whole = { ...seal, progress: 100, label: null };
  return (
    <div className={styles.opening}>
      <div className={styles.sealed}>
        <Seal {...whole} locked />
      </div>
      <div className={styles.patina}>
        <Seal {...whole} locked={false} />
      </div>
    </div>
  );
}
