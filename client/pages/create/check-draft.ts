import { newCapsuleSchema } from '../../../shared/api/capsules.ts';
import type { SiteLimits } from '../../../shared/api/site.ts';
import { dayAt } from '../../../shared/day.ts';
import { MEGABYTE } from '../../../shared/limits.ts';
import { CHECK_FIELDS, DAY_AFTER_TODAY } from '../../../shared/sentences.ts';
import type { DraftFields, OutboxFailure } from '../../local/db.ts';
import { capsuleOf, errorsOf } from './new-capsule.ts';
import { limitsText, type PickedFile, totalBytes } from './pick-files.ts';

interface DraftCheck {
  fields: DraftFields;
  files: readonly PickedFile[];
  /** Null while this device does not know them; the server then judges alone. */
  limits: SiteLimits | null;
  now: Date;
  timeZone: string;
}

/** What this device itself finds wrong with a draft before it is queued; null when nothing is. */
export function checkDraft({ fields, files, limits, now, timeZone }: DraftCheck) {
  const errors: Record<string, string> = {};
  const checked = newCapsuleSchema.safeParse(capsuleOf(fields));
  if (!checked.success) Object.assign(errors, errorsOf(checked.error));
  // ISO days compare as text.
  if (fields.dateToUnlock !== '' && fields.dateToUnlock <= dayAt(now, timeZone)) {
    errors.dateToUnlock ??= DAY_AFTER_TODAY;
  }
  if (limits && isTooMuch(files, limits)) errors.files = limitsText(limits);
  if (Object.keys(errors).length === 0) return null;
  return {
    code: 'VALIDATION_FAILED',
    message: CHECK_FIELDS,
    errors,
  } satisfies OutboxFailure;
}

function isTooMuch(files: readonly PickedFile[], limits: SiteLimits): boolean {
  return (
    files.length > limits.maxFiles ||
    files.some(({ size }) => size > limits.maxFileMB * MEGABYTE) ||
    totalBytes(files) > limits.maxCapsuleMB * MEGABYTE
  );
}
