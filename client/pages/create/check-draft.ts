import { newCapsuleSchema } from '../../../shared/api/new-capsule.ts';
import { addYears, dayAt } from '../../../shared/day.ts';
import { UNLOCK_YEARS_MAX } from '../../../shared/limits.ts';
import { CHECK_FIELDS, DAY_AFTER_TODAY, TOO_FAR_AHEAD } from '../../../shared/sentences.ts';
import { isBlank } from '../../../shared/visible-text.ts';
import { capsuleOf } from '../../db/drafts.ts';
import type { DraftFields, OutboxFailure } from '../../db/tables.ts';
import { checkForm, type FieldErrors } from '../check-form.ts';

interface DraftCheck {
  fields: DraftFields;
  now: Date;
  timeZone: string;
}

/** What is wrong with the fields of a draft, as far as this device can tell. Null if nothing is. */
export function checkDraft({ fields, now, timeZone }: DraftCheck) {
  const checked = checkForm(newCapsuleSchema, capsuleOf(fields));
  const errors: FieldErrors = checked.ok ? {} : checked.errors;
  const today = dayAt(now, timeZone);
  // ISO days compare as text.
  if (fields.dateToUnlock !== '' && fields.dateToUnlock <= today) {
    errors.dateToUnlock ??= DAY_AFTER_TODAY;
  }
  if (fields.dateToUnlock > addYears(today, UNLOCK_YEARS_MAX)) {
    errors.dateToUnlock ??= TOO_FAR_AHEAD;
  }
  if (Object.keys(errors).length === 0) return null;
  return { code: 'VALIDATION_FAILED', message: CHECK_FIELDS, errors } satisfies OutboxFailure;
}

/** Which files keep a draft from being sealed, in a sentence. */
export function stillElsewhere(
  files: readonly { name: string; isElsewhere: boolean; hasArrived: boolean }[],
): string[] {
  const away = files.filter((file) => file.isElsewhere && !file.hasArrived);
  const names = away.map(({ name }) => `“${name}”`).join(', ');
  const [are, them] = away.length === 1 ? ['is', 'it'] : ['are', 'them'];
  if (away.length === 0) return [];
  return [
    `${names} ${are} still on your other device. Open the app there, or remove ${them} here.`,
  ];
}

/** The required fields that are still empty, in words: 'a title', 'recipients'. */
export function stillNeeded(fields: DraftFields): string[] {
  const needed: string[] = [];
  if (isBlank(fields.title)) needed.push('a title');
  if (isBlank(fields.description)) needed.push('a description');
  if (fields.recipients.length === 0) needed.push('recipients');
  if (fields.dateToUnlock === '') needed.push('a day');
  return needed;
}
