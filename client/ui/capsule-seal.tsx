import {
  type CapsuleTimes,
  daysRemaining,
  progressPercent,
  remainingText,
} from '../../shared/capsule-time.ts';
import { Seal, type SealSize } from './seal.tsx';

const MS_PER_YEAR = 365.25 * 86_400_000;

interface CapsuleSealProps {
  /** `locked` is the server's word: a wrong clock here opens nothing. */
  capsule: CapsuleTimes & { id: string; locked: boolean };
  now: Date;
  size?: SealSize | 'fill';
  /** True where the remaining text stands beside it. */
  decorative?: boolean;
}

/** The seal of a capsule, named by its remaining text. */
export function CapsuleSeal({ capsule, now, size, decorative = false }: CapsuleSealProps) {
  const { id, locked, createdAt, unlockAt, dateToUnlock } = capsule;
  const years = Math.ceil((Date.parse(unlockAt) - Date.parse(createdAt)) / MS_PER_YEAR);
  return (
    <Seal
      id={id}
      years={years}
      progress={locked ? progressPercent(capsule, now) : 100}
      locked={locked}
      label={decorative ? null : locked ? remainingText(daysRemaining(capsule, now)) : 'Unlocked'}
      day={dateToUnlock}
      size={size}
    />
  );
}
