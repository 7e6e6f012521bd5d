import {
  type CapsuleTimes,
  daysRemaining,
  progressPercent,
  remainingText,
} from '../../shared/capsule-time.ts';
import { Seal, type SealSize } from './seal.tsx';

const MS_PER_YEAR = 365.25 * 86_400_000;

/** Years from sealing to opening, begun ones counted. */
export function yearsOf({ createdAt, unlockAt }: Pick<CapsuleTimes, 'createdAt' | 'unlockAt'>) {
  return Math.ceil((Date.parse(unlockAt) - Date.parse(createdAt)) / MS_PER_YEAR);
}

interface CapsuleSealProps {
  /** `locked` is the server's word: a wrong clock here opens nothing. */
  capsule: CapsuleTimes & { id: string; locked: boolean };
  now: Date;
  size?: SealSize | 'fill';
  /** Instead of the remaining text; null where those words stand beside it. */
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
