import type { OutboxRow } from '../../client/db/tables.ts';
import type { Capsule } from '../../shared/api/capsules.ts';
import type { CurrentUser } from '../../shared/api/user.ts';

/** The nth id of a sample: valid, and the same each time. */
export function sampleId(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

/** A locked capsule as the server shows it. */
export function sampleCapsule(n: number, change: Partial<Capsule> = {}): Capsule {
  return {
    id: sampleId(n),
    title: `Capsule ${n}`,
    description: 'For later',
    createdBy: 'Ada Lovelace',
    senderName: 'Ada Lovelace',
    senderEmail: 'ada@example.org',
    recipientEmails: ['grace@example.org'],
    dateToUnlock: '2036-01-01',
    unlockDate: '2036-01-01',
    timeZone: 'UTC',
    unlockAt: '2036-01-01T00:00:00.000Z',
    locked: true,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
    mediaCount: 0,
    fileInfo: [],
    personalMessage: null,
    type: 'created',
    ...change,
  };
}

export function sampleUser(n: number, name: string): CurrentUser {
  return {
    id: sampleId(n),
    name,
    email: `${name.toLowerCase()}@example.org`,
    bio: '',
    avatar: name.slice(0, 1),
    createdAt: '2026-01-01T00:00:00.000Z',
  };
}

/** A capsule in the outbox of the person with this id. */
export function sampleItem(n: number, change: Partial<OutboxRow> = {}): OutboxRow {
  return {
    id: sampleId(n),
    fields: {
      title: `Capsule ${n}`,
      description: 'For later',
      recipients: [],
      dateToUnlock: '2036-01-01',
      notifyRecipient: false,
      personalMessage: '',
    },
    timeZone: 'UTC',
    state: 'queued',
    queuedAt: n,
    attempts: 0,
    nextTryAt: 0,
    mayHaveArrived: false,
    failure: null,
    files: [],
    totalBytes: 0,
    sentBytes: 0,
    ...change,
  };
}
