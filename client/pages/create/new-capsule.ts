import type { core } from 'zod/mini';
import type { NewCapsuleInput } from '../../../shared/api/new-capsule.ts';
import type { DraftFields } from '../../db/tables.ts';

/** What of a draft is sent. */
export function capsuleOf({ recipients, ...fields }: DraftFields): NewCapsuleInput {
  return { ...fields, recipientEmails: recipients.map(({ email }) => email) };
}

/** All that must not be empty is not. */
export function isComplete(fields: DraftFields): boolean {
  const { title, description, recipients, dateToUnlock } = fields;
  return (
    title.trim() !== '' && description.trim() !== '' && recipients.length > 0 && dateToUnlock !== ''
  );
}

/** The first sentence for each field, by the names the server uses too. */
export function errorsOf(error: core.$ZodError): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of error.issues) {
    const field = String(path[0]);
    errors[field] ??= message;
  }
  return errors;
}
