import { describe, expect, it } from 'vitest';
import { getConfig } from '../../config.ts';
import type { NoticeRow } from '../../db/emails/notices.ts';
import { withWithheld } from './withheld-notices.ts';

const QUEUED_AT = new Date('2030-01-01T12:00:00Z');
const later = (seconds: number) => new Date(QUEUED_AT.getTime() + seconds * 1_000);
const config = getConfig({});
const telling = getConfig({
  RESEND_API_KEY: 're_1',
  RESEND_WEBHOOK_SECRET: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0',
});

const recipient = { recipientId: 'grace', recipientName: 'Grace', recipientEmail: 'g@example.org' };
const times = { queuedAt: QUEUED_AT, repeats: 0, repeatedAt: null };
const withheld = [
  { recipientId: 'ada', withheld: null },
  {
    recipientId: 'grace',
    withheld: { ...recipient, ...times, id: 'one', kind: 'capsule-waiting' as const },
  },
];

describe('a withheld notice', () => {
  it('is on its way for a moment, then sent, and delivered where the provider tells', () => {
    const at = (now: Date, told = config) => {
      const [row] = withWithheld([], withheld, { config: told, now });
      return [row?.state, row?.sentAt, row?.delivery];
    };
    expect(at(later(0))).toEqual(['queued', null, null]);
    expect(at(later(2))).toEqual(['sent', QUEUED_AT, null]);
    expect(at(later(300))).toEqual(['sent', QUEUED_AT, null]);
    expect(at(later(2), telling)).toEqual(['sent', QUEUED_AT, null]);
    expect(at(later(300), telling)).toEqual(['sent', QUEUED_AT, 'delivered']);
  });

  it('stands where the email would, and in the place of one from before the block', () => {
    const row = (recipientId: string, kind: NoticeRow['kind']) =>
      ({ ...recipient, recipientId, kind, id: `${recipientId} ${kind}` }) as NoticeRow;
    const queued = [
      row('ada', 'capsule-waiting'),
      row('grace', 'capsule-opened'),
      row('grace', 'capsule-waiting'),
    ];
    const all = withWithheld(queued, withheld, { config, now: later(9) });
    expect(
      all.map(({ recipientId, kind, id, withheld: how }) => [recipientId, kind, id, how]),
    ).toEqual([
      ['ada', 'capsule-waiting', 'ada capsule-waiting', undefined],
      ['grace', 'capsule-opened', 'grace capsule-opened', undefined],
      ['grace', 'capsule-waiting', 'one', 'again'],
    ]);
  });
});
