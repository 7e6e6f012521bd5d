import { isDay, isTimeZone } from '../../shared/day.ts';
import {
  type Check,
  count,
  either,
  flag,
  instant,
  isRecord,
  listOf,
  none,
  shape,
  text,
} from './checks.ts';
import type { DraftRow, OutboxRow, OutboxState } from './db.ts';

/*
 * A disk, a browser or another version of the app may leave a row that is not what it should
 * be. No screen and no sender ever meets one: what is read here is looked at first.
 */

const day: Check = (value) => typeof value === 'string' && isDay(value);
const zone: Check = (value) => typeof value === 'string' && isTimeZone(value);
const absent: Check = (value) => value === undefined;
const empty: Check = (value) => value === '';

const person = { id: text, name: text, email: text, avatar: text };
const failure = shape({
  code: text,
  message: text,
  errors: (value) => isRecord(value) && Object.values(value).every(text),
});
const fields = {
  title: text,
  description: text,
  recipients: listOf(shape(person)),
  notifyRecipient: flag,
  personalMessage: text,
};
const STATES: Record<OutboxState, true> = {
  queued: true,
  sending: true,
  'retry-at': true,
  'needs-sign-in': true,
  'needs-fix': true,
  'storage-full': true,
};

const draft = shape({
  owner: text,
  id: text,
  fields: shape({ ...fields, dateToUnlock: either(empty, day) }),
  updatedAt: instant,
  failure: either(absent, failure),
});

const outbox = shape({
  owner: text,
  id: text,
  fields: shape({ ...fields, dateToUnlock: day }),
  timeZone: zone,
  state: (value) => typeof value === 'string' && Object.hasOwn(STATES, value),
  queuedAt: instant,
  attempts: count,
  nextTryAt: instant,
  mayHaveArrived: flag,
  failure: either(none, failure),
  fileCount: count,
  totalBytes: count,
  sentBytes: count,
});

export function isDraft(row: unknown): row is DraftRow {
  return draft(row);
}

export function isOutboxItem(row: unknown): row is OutboxRow {
  return outbox(row);
}
