import { setTimeout as pause } from 'node:timers/promises';
import { signUp } from '../support/person.mjs';
import { twice } from './provider.mjs';

/** What an email provider such as Resend takes. */
export const CALLS_A_SECOND = 5;
/** The goal: so many notices in so many minutes. */
const GOAL = { notices: 100_000, minutes: 10 };
const READERS = 2;
const IDLE_MS = 20_000;
const READ_EVERY_MS = 200;

/**
 * Makes `howMany` notices due at once, one to the creator and one to the recipient of each capsule,
 * and reads lists until all have been sent. @returns lines of the table
 */
export async function notices({ url, port, postgres }, provider, howMany) {
  const people = [];
  for (let index = 0; index < READERS; index += 1) {
    people.push(await signUp(port, `reader-${index}`));
  }
  await postgres.addCrowd({ people: howMany / 2, capsules: howMany / 2 });
  await postgres.settle();
  const idle = await readLists(url, people, Date.now() + IDLE_MS);
  await makeDue(postgres.sql);
  const startedAt = performance.now();
  // With half of the pace something is wrong.
  const until = Date.now() + 60_000 + (howMany / GOAL.notices) * GOAL.minutes * 120_000;
  const isOver = () => provider.told.size >= howMany;
  const meanwhile = await readLists(url, people, until, isOver);
  const seconds = (performance.now() - startedAt) / 1_000;
  // Before and after, because other work of the machine comes and goes.
  idle.push(...(await readLists(url, people, Date.now() + IDLE_MS)));
  const pace = provider.told.size / seconds;
  return [
    ['Notices due at once', String(howMany), ''],
    ['Calls a second that the provider takes', String(CALLS_A_SECOND), ''],
    ['Sent', String(provider.told.size), String(howMany)],
    ['Sent twice', String(twice(provider)), '0'],
    ['Calls that were too many for the provider', String(provider.refused), ''],
    ['Sent a second', pace.toFixed(0), ''],
    [
      `${GOAL.notices.toLocaleString('en')} at this pace`,
      `${Math.round(GOAL.notices / pace / 60)} min`,
      `at most ${GOAL.minutes} min`,
    ],
    ['A list meanwhile, 95th percentile', `${p95(meanwhile).toFixed(0)} ms`, ''],
    ['… times as long as before and after', (p95(meanwhile) / p95(idle)).toFixed(2), 'at most 2'],
  ];
}

/** Makes every capsule one that has just opened. */
export async function makeDue(sql) {
  await sql`update capsules set unlock_at = now() - interval '1 minute', date_to_unlock = current_date`;
  await sql`update capsule_recipients r
    set unlock_at = c.unlock_at, date_to_unlock = c.date_to_unlock
    from capsules c where c.id = r.capsule_id`;
  // Last: from here on they are due.
  await sql`update capsules set opened_notice_at = null`;
}

/** Milliseconds that each answer took. */
async function readLists(url, people, until, isOver = () => false) {
  const times = [];
  const read = async (person) => {
    while (Date.now() < until && !isOver()) {
      const startedAt = performance.now();
      const answer = await fetch(`${url}/api/capsules/created`, { headers: person.headers() });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`a list was answered with ${answer.status}`);
      times.push(performance.now() - startedAt);
      await pause(READ_EVERY_MS);
    }
  };
  await Promise.all(people.map(read));
  return times;
}

function p95(times) {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)];
}
