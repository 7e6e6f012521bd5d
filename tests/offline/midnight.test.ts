import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { Temporal } from 'temporal-polyfill';
import { afterEach, expect, it } from 'vitest';
import { capsules } from '../../server/db/schema.ts';
import { expectStatus } from '../support/client.ts';
import { sealedBy } from '../support/ledger.ts';
import {
  create,
  expectExactly,
  KEPT,
  openOutbox,
  proofWorld,
  untilOutboxIsEmpty,
  write,
} from '../support/proof-world.ts';
import { SAVED, signInByForm } from '../support/screens.ts';

const world = proofWorld();
afterEach(() => world.server.clock.set(new Date()));

/** Evenings on which midnight is special: far ahead, far behind, and the night the clocks change. */
const EVENINGS = [
  ['Pacific/Kiritimati', '2030-06-30'],
  ['Europe/Berlin', '2030-03-30'],
  ['America/Los_Angeles', '2030-11-02'],
] as const;

const instantOf = (zone: string, day: string, time: string) =>
  new Date(Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(zone).epochMilliseconds);

const dayAfter = (day: string, days: number) =>
  Temporal.PlainDate.from(day).add({ days }).toString();

/** A window in that zone, in which it is that evening, as on the server. */
async function evening(zone: string, day: string): Promise<Page> {
  // A worker has no clock that a test could set: the page does all the sending here.
  const page = await world.reopen({
    timezoneId: zone,
    locale: 'en-GB',
    serviceWorkers: 'block',
  });
  const now = instantOf(zone, day, '23:58:00');
  world.server.clock.set(now);
  await page.clock.install({ time: now });
  await signInByForm(page, { email: world.ada.user.email, password: world.ada.password });
  return page;
}

/** The night passes, here and on the server. */
async function goTo(page: Page, now: Date): Promise<void> {
  world.server.clock.set(now);
  await page.clock.setSystemTime(now);
}

async function unlocking(): Promise<{ day: string; at: string }[]> {
  const { server, ada } = world;
  const rows = await server.deps.db
    .select({ day: capsules.dateToUnlock, at: capsules.unlockAt })
    .from(capsules)
    .where(eq(capsules.creatorId, ada.user.id));
  return rows.map(({ day, at }) => ({ day, at: at.toISOString() }));
}

for (const [zone, day] of EVENINGS) {
  const tomorrow = dayAfter(day, 1);

  it(`${zone}: sealed before midnight for tomorrow, sent after it: the person chooses a later day`, async () => {
    const { server, ada } = world;
    const page = await evening(zone, day);
    await write(page, ada, 'Too late');
    await world.visitor.context.setOffline(true);
    await create(page);
    await page.getByText(KEPT).waitFor();
    await goTo(page, instantOf(zone, tomorrow, '00:03:00'));
    await world.visitor.context.setOffline(false);
    await openOutbox(page);
    await page.getByText('Its unlock date has passed. Choose a later date.').waitFor();
    expect(await sealedBy(server.deps, ada.user.id)).toEqual([]);

    await page.getByRole('button', { name: 'Choose a later date for Too late' }).click();
    await page.getByLabel('Capsule Title').waitFor();
    await page.getByRole('button', { name: '1 year', exact: true }).click();
    await create(page);
    await untilOutboxIsEmpty(page);
    await expectExactly(world, ada, [{ title: 'Too late', files: [] }]);
    const later = Temporal.PlainDate.from(tomorrow).add({ years: 1 }).toString();
    expect(await unlocking()).toEqual([{ day: later, at: startOf(later, zone).toISOString() }]);
  });

  it(`${zone}: sealed before midnight for the day after tomorrow, sent after it: opens to the instant`, async () => {
    const { server, ada } = world;
    const page = await evening(zone, day);
    await write(page, ada, 'In time');
    const opensOn = dayAfter(day, 2);
    await typeDay(page, opensOn);
    await world.visitor.context.setOffline(true);
    await create(page);
    await page.getByText(KEPT).waitFor();
    await goTo(page, instantOf(zone, tomorrow, '00:03:00'));
    await world.visitor.context.setOffline(false);
    await untilOutboxIsEmpty(page);
    await expectExactly(world, ada, [{ title: 'In time', files: [] }]);
    const opens = startOf(opensOn, zone);
    expect(await unlocking()).toEqual([{ day: opensOn, at: opens.toISOString() }]);

    const [capsule] = await server.deps.db
      .select({ id: capsules.id })
      .from(capsules)
      .where(eq(capsules.creatorId, ada.user.id));
    server.clock.set(new Date(opens.getTime() - 10_000));
    await ada.post('/auth/login', { email: ada.user.email, password: ada.password });
    const read = async () => expectStatus(await ada.get(`/api/capsules/${capsule?.id}`), 200).text;
    server.clock.set(new Date(opens.getTime() - 2_000));
    expect(await read()).not.toContain('See you');
    server.clock.set(opens);
    expect(await read()).toContain('See you');
  });
}

/** The first instant of a day there, which need not be midnight. */
function startOf(day: string, zone: string): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds);
}

/** Enters a day into the date field. */
async function typeDay(page: Page, day: string): Promise<void> {
  await page.getByLabel('Unlock Date').fill(day);
  await page.getByText(SAVED).waitFor();
}
