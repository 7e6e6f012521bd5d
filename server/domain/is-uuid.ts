import { idField } from '../../shared/api/fields.ts';

/** True if PostgreSQL accepts `value` as a UUID. Other ids cannot exist. */
export function isUuid(value: string): boolean {
  return idField.safeParse(value).success;
}
