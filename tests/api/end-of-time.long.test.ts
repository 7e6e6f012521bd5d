import { pino } from 'pino';
import { it } from 'vitest';
import { createClockGuard } from '../../server/clock/clock-guard.ts';
import { addYears, dayAt } from '../../shared/day.ts';
import { UNLOCK_YEARS_MAX } from '../../shared/limits.ts';
import { capsuleFields, seal } from '../support/capsules.ts';
import { createClient, expectStatus, signUp } from '../support/client.ts';
import { pdf } from '../support/fixtures.ts';
import { startTestServer } from '../support/server.ts';

it.each(['9999-12-31T23:59:59Z', '+275760-01-01T00:00:00Z'])(
  'a system clock at %s fails no call',
  async (instant) => {
    const clock = createClockGuard({
      system: { now: () => new Date(instant) },
      monotonic: () => performance.now(),
      log: pino({ level: 'silent' }),
      lastSeen: null,
    });
    const server = await startTestServer({ deps: { clock } });
    const person = await signUp(server.url, 'Methuselah');
    const today = dayAt(clock.now(), 'UTC');
    const lastDay = addYears(today, UNLOCK_YEARS_MAX);
    for (const timeZone of ['UTC', 'Pacific/Kiritimati']) {
      await seal(person, person, { dateToUnlock: lastDay, timeZone }, [pdf()]);
    }
    for (const dateToUnlock of [today, '9999-12-31']) {
      expectStatus(await person.createCapsule(capsuleFields(person, { dateToUnlock })), 400);
    }
    for (const path of [
      '/user/me',
      '/user/export',
      '/api/capsules/created',
      '/api/capsules/received',
      '/api/capsules/opened',
      '/api/capsules/dashboard-summary',
      `/community/public-profile?userId=${person.user.id}`,
    ]) {
      expectStatus(await person.get(path), 200);
    }
    const visitor = createClient(server.url);
    await visitor.get('/api/limits');
    await visitor.post('/auth/forgot-password', { email: person.user.email });
    const link = await server.mailedLink(person.user.email, '/auth/reset-password');
    expectStatus(
      await visitor.post(`/auth/reset-password${link.search}`, { password: 'another horse' }),
      200,
    );
    await server.close();
  },
);
