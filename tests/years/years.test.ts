import { expect, it } from 'vitest';
import { findUnreached } from '../../server/db/operator/instance.ts';
import { listNotices } from '../../server/domain/emails/sent-notices.ts';
import { DAY_MS } from '../../shared/limits.ts';
import { chanceOf } from '../support/chance.ts';
import { type Host, move, startHost } from './host.ts';
import { createLife, type Place } from './life.ts';
import { createMailboxes } from './mailboxes.ts';
import { type Provider, startResendLike, startSmtp, TROUBLES } from './providers.ts';

const PEOPLE = Number(process.env.YEARS_PEOPLE ?? 10_000);
const YEARS = Number(process.env.YEARS_YEARS ?? 20);
const DAYS = Math.floor(YEARS * 365.25);
const START = new Date('2030-01-01T00:00:00Z');
const HOUR_MS = 3_600_000;
/** An announcement that comes so late has missed. */
const REACHED_DAYS = 60;

const instant = (day: number, hours = 0) =>
  new Date(START.getTime() + day * DAY_MS + hours * HOUR_MS);

it(`${YEARS} years of ${PEOPLE} people`, async () => {
  const chance = chanceOf('years');
  let now = START;
  const clock = { now: () => now };
  const mailboxes = createMailboxes();
  const life = createLife(chance, { people: PEOPLE, days: DAYS, start: START, mailboxes });
  let provider: Provider = await startResendLike(mailboxes, clock.now);
  let host: Host = await startHost(clock, provider);
  await life.start(host);

  const providerChanges = [0.35, 0.65].map((share) => Math.floor(DAYS * share));
  const moves = [0.25, 0.75].map((share) => Math.floor(DAYS * share));
  const outages = [0.2, 0.3, 0.45, 0.55, 0.7, 0.85].map((share, index) => ({
    from: Math.floor(DAYS * share),
    days: chance.whole(7, 20),
    // The last one is ours: no job runs.
    trouble: TROUBLES[index] ?? (index === 4 ? 'fails' : null),
  }));
  const outageOf = (day: number) =>
    outages.find(({ from, days }) => day >= from && day < from + days);

  const reasons = new Map<string, number>();
  const note = (reason: string) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const whyMissed = async (at: Host, { capsuleId, creator, recipient }: Place) => {
    const { main, second } = recipient;
    const { notices } = await listNotices(at.deps, { userId: creator.id }, capsuleId);
    const state = notices.find(
      ({ kind, recipientEmail }) => kind === 'capsule-opened' && recipientEmail === main,
    )?.state;
    const ofSecond = second === null ? 'there is none' : mailboxes.stateOf(second);
    return `main address ${mailboxes.stateOf(main)}, second ${ofSecond}; told as ${state}`;
  };
  const missed: { place: Place; seenBy: string }[] = [];
  const dueCheck = groupBy(life.places, ({ opensOn }) => opensOn + REACHED_DAYS + 1);
  for (let day = 1; day < DAYS; day += 1) {
    now = instant(day);
    if (providerChanges.includes(day)) {
      const next = providerChanges.indexOf(day) === 0 ? startSmtp : startResendLike;
      const old = provider;
      provider = await next(mailboxes, clock.now);
      await host.close();
      host = await startHost(clock, provider, host.database);
      await old.close();
    }
    if (moves.includes(day)) host = await move(host, clock, provider);
    const outage = outageOf(day);
    provider.trouble = outage?.trouble ?? null;
    await life.run(host, day);
    const isOurs = outage !== undefined && outage.trouble === null;
    if (!isOurs) {
      await host.pass();
      await life.readMail(host);
      if (outage) {
        now = instant(day, 12);
        await host.pass();
      }
    }
    if (day % 30 === 0) await host.sweep();
    const late = (dueCheck.get(day) ?? []).filter(
      ({ toldOn, seenOn }) => toldOn === null && seenOn === null,
    );
    const inOperatorsList = late.length > 0 ? await unreachedAddresses(host, now) : new Set();
    for (const place of late) {
      const isListed = inOperatorsList.has(place.recipient.main);
      const seenBy = (await creatorSees(host, place))
        ? 'creator'
        : isListed
          ? 'operator'
          : 'nobody';
      missed.push({ place, seenBy });
      if (place.hadLivingChannel) note(await whyMissed(host, place));
    }
    if (day % 365 === 0) console.error(`  ${day / 365} years, ${missed.length} missed`);
  }

  const opened = life.places.filter(({ opensOn }) => opensOn + REACHED_DAYS + 1 < DAYS);
  const living = opened.filter(({ hadLivingChannel }) => hadLivingChannel);
  const inTime = ({ opensOn }: Place, day: number | null) =>
    day !== null && day <= opensOn + REACHED_DAYS;
  const told = (places: Place[]) => places.filter((p) => inTime(p, p.toldOn)).length;
  const reached = (places: Place[]) =>
    places.filter((p) => inTime(p, p.toldOn) || inTime(p, p.seenOn)).length;
  const unseen = missed.filter(({ seenBy }) => seenBy === 'nobody').length;
  const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(2)} %`;
  const lines = [
    ['Addresses that died', life.addressesDied],
    ['Changes of address in the app', life.changes],
    ['Capsules for a recipient that opened', opened.length],
    ['… whose recipient had a living address on the day', living.length],
    ['… of these reached within 60 days', share(reached(living), living.length)],
    ['… by an email that they read', share(told(living), living.length)],
    ['… of all reached within 60 days', share(reached(opened), opened.length)],
    ['Missed', missed.length],
    ['… seen by the creator', missed.filter(({ seenBy }) => seenBy === 'creator').length],
    ['… seen by the operator only', missed.filter(({ seenBy }) => seenBy === 'operator').length],
    ['… seen by nobody', unseen],
    ['Told once more on one address, by a provider that knows keys', life.faults.againByKey],
    ['Told once more on one address, by SMTP', life.faults.again],
    ['Told more often than that', life.faults.more],
    ['Told early', life.faults.early],
    ['Emails read: opened, reminders, questions', Object.values(life.told).join(', ')],
    ['Links that did not confirm', life.faults.failed],
  ];
  for (const { from, days, trouble } of outages) {
    const during = living.filter(({ opensOn }) => opensOn >= from && opensOn < from + days);
    const what = `… of those that opened while ${trouble ? `the provider ${trouble}` : 'no job ran'} (${days} days)`;
    lines.push([what, `${reached(during)} of ${during.length}`]);
  }
  for (const [reason, count] of reasons) lines.push([`Missed though: ${reason}`, count]);
  console.log(lines.map(([what, found]) => `| ${what} | ${found} |`).join('\n'));

  expect(life.faults).toMatchObject({ early: 0, againByKey: 0, more: 0 });
  expect(unseen).toBe(0);
  expect(reached(living) / living.length).toBeGreaterThanOrEqual(0.99);
  await host.close();
  await host.database.close();
  await provider.close();
}, 0);

const BAD = ['bounced', 'failed', 'complained', 'queued', 'unknown'];

/** In the capsule's details. */
async function creatorSees(host: Host, { capsuleId, creator, recipient }: Place): Promise<boolean> {
  const { notices } = await listNotices(host.deps, { userId: creator.id }, capsuleId);
  return notices.some(
    ({ kind, recipientEmail, state }) =>
      kind === 'capsule-opened' && recipientEmail === recipient.main && BAD.includes(state),
  );
}

/** As `npm run admin -- unreached` lists them. */
async function unreachedAddresses(host: Host, now: Date): Promise<Set<string>> {
  const openedBefore = new Date(now.getTime() - REACHED_DAYS * DAY_MS);
  const unreached = await findUnreached(host.deps.db, openedBefore);
  return new Set(unreached.map(({ email }) => email));
}

function groupBy<Item>(items: Item[], keyOf: (item: Item) => number): Map<number, Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
