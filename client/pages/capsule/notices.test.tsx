import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Notice } from '../../../shared/api/notices.ts';
import { DAY_MS } from '../../../shared/limits.ts';
import { longMoment } from '../format.ts';
import { Invitations, Notices } from './notices.tsx';

const AT = new Date(2026, 10, 27, 8, 1).toISOString();
const MIA: Notice = {
  id: 'mia',
  recipientName: 'Mia',
  recipientEmail: 'mia@example.org',
  kind: 'capsule-waiting',
  state: 'delivered',
  at: AT,
  sentAt: AT,
  againAt: null,
};
const ADA: Notice = { ...MIA, id: 'ada', recipientName: 'Ada', recipientEmail: 'ada@example.org' };

const linesIn = (html: string) => html.split(/<[^>]*>/).filter((text) => text !== '');

/** What the creator, Ada, reads, a line each. */
function linesOf(...notices: Notice[]): string[] {
  const send = async () => undefined;
  return linesIn(
    renderToStaticMarkup(
      <Notices notices={notices} creatorEmail={ADA.recipientEmail} sendAgain={send} />,
    ),
  );
}

describe('what became of the emails about a capsule', () => {
  it('is said with its day and time', () => {
    expect(linesOf(MIA)).toEqual([
      'Notifications',
      'Delivered to Mia on 27 November 2026 at 08:01',
    ]);
    const invitation = renderToStaticMarkup(<Invitations invitations={[MIA]} />);
    expect(linesIn(invitation)[1]).toBe('Delivered to Mia on 27 November 2026 at 08:01');
  });

  it.each([
    ['queued', 'An email to you is on its way'],
    ['sent', 'We emailed you on 27 November 2026 at 08:01'],
    ['delivered', 'Delivered to you on 27 November 2026 at 08:01'],
    ['bounced', 'Your address refused our email on 27 November 2026 at 08:01'],
    ['complained', 'You marked our email as spam on 27 November 2026 at 08:01'],
  ] as const)('speaks to a creator among the recipients, when %s', (state, text) => {
    const notice = { ...ADA, state, at: state === 'queued' ? null : AT };
    expect(linesOf(notice)[1]).toBe(text);
  });

  it('says from when on an email can be sent again, where it was within a day', () => {
    const now = Date.now();
    const tomorrow = new Date(now + DAY_MS).toISOString();
    const again = `You can send it again on ${longMoment(tomorrow)}.`;
    expect(linesOf({ ...MIA, againAt: tomorrow }).join('')).toContain(again);
    const offered = linesOf({ ...MIA, againAt: new Date(now - 1).toISOString() });
    expect(offered).toContain('Send again');
    expect(offered.join('')).not.toContain('You can');
    expect(linesOf(MIA).join('')).not.toContain('again');
  });

  it('is told apart by kind, where there are both', () => {
    const opened: Notice = { ...MIA, id: 'opened', kind: 'capsule-opened' };
    const lines = linesOf(MIA, opened);
    expect(lines.filter((line) => line.startsWith('Notifications'))).toEqual([
      'Notifications when it opened',
      'Notifications when it was sealed',
    ]);
    expect(linesOf(opened)[0]).toBe('Notifications');
  });
});
