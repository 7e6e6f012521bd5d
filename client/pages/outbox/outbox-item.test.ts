import { describe, expect, it } from 'vitest';
import { sampleItem } from '../../../tests/support/sample-capsule.ts';
import { explanation, needsLaterDay, stateText } from './outbox-item.ts';

const now = new Date('2026-06-01T12:00:00Z');
const online = { online: true, now };
const offline = { ...online, online: false };

describe('stateText', () => {
  it('says where a capsule stands', () => {
    expect(stateText(sampleItem(1), offline)).toBe('Waiting for a connection');
    expect(stateText(sampleItem(1, { state: 'retry-at' }), offline)).toBe(
      'Waiting for a connection',
    );
    const later = sampleItem(1, { state: 'retry-at', nextTryAt: now.getTime() + 60_000 });
    expect(stateText(later, online)).toMatch(/^Trying again at \d\d:\d\d$/);
    expect(stateText(sampleItem(1, { state: 'needs-sign-in' }), online)).toBe('Sign in to send it');
    expect(stateText(sampleItem(1, { state: 'storage-full' }), online)).toBe(
      'Needs your attention',
    );
  });
});

describe('a day that has come', () => {
  const late = sampleItem(1, { fields: { ...sampleItem(1).fields, dateToUnlock: '2026-06-01' } });

  it('asks for a later one before anything is sent', () => {
    expect(needsLaterDay(late, now)).toBe(true);
    expect(stateText(late, offline)).toBe('Needs your attention');
    expect(explanation(late, now)).toMatch('Choose a later date');
  });

  it('is judged where the capsule was written', () => {
    expect(
      needsLaterDay({ ...late, timeZone: 'Pacific/Honolulu' }, new Date('2026-06-01T05:00:00Z')),
    ).toBe(false);
  });

  it('is the server’s to judge once the capsule may have arrived', () => {
    expect(needsLaterDay({ ...late, mayHaveArrived: true }, now)).toBe(false);
  });
});

it('tells the server’s reason in its own words', () => {
  const failure = { code: 'RECIPIENT_NOT_REGISTERED', message: 'Grace is gone.', errors: {} };
  expect(explanation(sampleItem(1, { state: 'needs-fix', failure }), now)).toBe('Grace is gone.');
});
