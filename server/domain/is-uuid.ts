import { idField } from '../../shared/api/fields.ts';

/** Whether the database would take `value` as an id; anything else cannot be one of ours. */
export function isUuid(value: string): boolean {
  return idField.safeParse(value).success;
}
