import {
  type CapsuleTimes,
  daysRemaining,
  progressPercent,
  remainingText,
} from '../../shared/capsule-time.ts';
import { Seal, type SealSize } from './seal.tsx';

const MS_PER_YEAR = 365.25 * 86_400_000;

/** Years from sealing to opening, rounded up. */
export function yearsOf({ createdAt, unlockAt }: Pick<CapsuleTimes, 'createdAt' | 'unlockAt'>) {
  return Math.ceil((Date.parse(unlockAt) - Date.parse(createdAt)) / MS_PER_YEAR);
}

interface CapsuleSealProps {
  /** `locked` comes from the server, so that a wrong clock on this device opens nothing. */
  capsule: CapsuleTimes & { id: string; locked: boolean };
  now: Date;
  size?: SealSize | 'fill';
  /** Replaces the remaining time as accessible name. Null if that text is next to the seal. */
  label?: string | null;
}

/** The seal of a capsule, named by its remaining text. */
export function CapsuleSeal({ capsule, now, size, label }: CapsuleSealProps) {
  const { id, locked, dateToUnlock } = capsule;
  const wait = remainingText(locked ? daysRemaining(capsule, now) : 0);
  return (
    <Seal
      id={id}
      years={yearsOf(capsule)}
      progress={locked ? progressPercent(capsule, now) : 100}
      locked={locked}
      label={label === undefined ? wait : label}
      day={dateToUnlock}
      size={size}
    />
  );
}
