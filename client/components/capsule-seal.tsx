import { type CapsuleTimes, progressPercent } from '../../shared/capsule-time.ts';
import { yearsOf } from '../../shared/seal-geometry.ts';
import styles from './capsule-seal.module.css';
import { Seal, type SealProps } from './seal.tsx';

interface CapsuleSealProps {
  /** `locked` comes from the server, so that a wrong clock on this device opens nothing. */
  capsule: CapsuleTimes & { id: string; locked: boolean };
  /** It has opened and waits for the person: the seal is still copper, its hasp ajar. */
  ready?: boolean;
  now: Date;
  size: SealProps['size'];
}

/** The seal of a capsule. */
export function CapsuleSeal({ capsule, ready = false, now, size }: CapsuleSealProps) {
  const { id, locked, dateToUnlock } = capsule;
  return (
    <Seal
      id={id}
      years={yearsOf(capsule)}
      progress={locked ? progressPercent(capsule, now) : 100}
      locked={locked || ready}
      ajar={ready}
      day={dateToUnlock}
      size={size}
    />
  );
}

/**
 * The animation of an opening seal, which ends as the open seal. Decorative: text next to it says
 * so.
 */
export function SealOpening(seal: Pick<SealProps, 'id' | 'years' | 'day' | 'size'>) {
  const whole = { ...seal, progress: 100 };
  return (
    <div className={`stack ${styles.opening}`}>
      <div className={styles.sealed}>
        <Seal {...whole} locked ajar />
      </div>
      <div className={styles.patina}>
        <Seal {...whole} locked={false} />
      </div>
    </div>
  );
}
