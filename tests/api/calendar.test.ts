import { expect, it, onTestFinished } from 'vitest';
import { codeOf } from '../support/addresses.ts';
import { seal } from '../support/capsules.ts';
import { createClient, signUp } from '../support/client.ts';
import { pdf } from '../support/fixtures.ts';
import { rare } from '../support/rare.ts';
import { sharedServer, startTestServer } from '../support/server.ts';

const server = sharedServer({ clock: '2029-12-20T12:00:00Z' });
const LINK = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

it('the day of a locked capsule comes as a file for calendars, and nothing else of it', async () => {
  const ada = await signUp(server.url, 'Ada');
  const mia = await signUp(server.url, 'Mia');
  const written = { title: 'title-canary', description: 'canary', personalMessage: 'canary' };
  const zone = { timeZone: 'Europe/Berlin' };
  const { id } = await seal(ada, mia, { ...written, ...zone }, [pdf('canary.pdf')]);
  for (const person of [ada, mia]) {
    const answer = await person.get(`/api/capsules/${id}/calendar.ics`, LINK);
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain('time-capsule-2030-01-01.ics');
    expect(answer.text).toContain('DTSTART;VALUE=DATE:20300101\r\n');
    const unfolded = answer.text.replaceAll('\r\n ', '');
    expect(unfolded).toContain('It opens at midnight\\, Berlin time.');
    expect(unfolded).toContain(`URL:${server.deps.config.appUrl}/dashboard?capsule=${id}\r\n`);
    expect(answer.text).not.toContain('canary');
  }
});

it('a link in an email leads who may not have it to the page, and other callers to an error', async () => {
  const ada = await signUp(server.url, 'Anna');
  const stranger = await signUp(server.url, 'Stranger');
  const { id } = await seal(ada, ada);
  const path = `/api/capsules/${id}/calendar.ics`;
  for (const [caller, status] of [
    [createClient(server.url), 401],
    [stranger, 404],
  ] as const) {
    expect((await caller.get(path)).status).toBe(status);
    const led = await caller.get(path, LINK);
    expect([led.status, led.headers.get('location')]).toEqual([303, `/dashboard?capsule=${id}`]);
    expect(led.text).toBe('');
  }
  const odd = await ada.get('/api/capsules/%2F%2Fevil.example/calendar.ics', LINK);
  expect(odd.headers.get('location')).toBe('/dashboard?capsule=%2F%2Fevil.example');
});

rare(
  'only so many of one person are read at once, and as many wait as of other reading calls',
  async () => {
    // Those that wait for the lock hold a connection each.
    const own = await startTestServer({ config: { rateLimits: true, databasePool: 10 } });
    onTestFinished(own.close);
    const ada = await signUp(own.url, 'Ada');
    const { id } = await seal(ada, ada);
    const answers: (number | string)[] = [];
    let all: Promise<unknown> = Promise.resolve();
    await own.deps.db.transaction(async (tx) => {
      await tx.execute('lock table capsules in access exclusive mode');
      const ask = async () => {
        answers.push(codeOf(await ada.get(`/api/capsules/${id}/calendar.ics`)));
      };
      all = Promise.all(Array.from({ length: 50 }, ask));
      await expect.poll(() => answers).toEqual(Array(6).fill('BUSY'));
    });
    await all;
    expect(answers.slice(6)).toEqual(Array(44).fill(200));
  },
);
