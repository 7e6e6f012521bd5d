import { Seal, type SealProps } from './seal.tsx';
import styles from './seal-opening.module.css';

/** A seal at the moment it opens; it ends as the opened seal. Words beside it say what it shows. */
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
