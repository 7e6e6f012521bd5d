import { setTimeout as pause } from 'node:timers/promises';
import { signUp } from '../support/person.mjs';
import { createUntilSealed } from './sender.mjs';

const PEOPLE = 4;
/** Between two promotions, at most. */
const MOMENT_MAX_MS = 3_000;

/**
 * Loses the primary database `count` times at a random moment, while people create, and promotes
 * its standby. @returns lines of the table, and what has been sent
 */
export async function standby({ url, port, postgres }, count) {
  const people = [];
  for (let index = 0; index < PEOPLE; index += 1) {
    people.push(await signUp(port, `patient-${index}`));
  }
  let isOver = false;
  const senders = people.map(async (person) => {
    const sent = [];
    for (let number = 0; !isOver; number += 1) {
      sent.push(await createUntilSealed(url, person, `${person.name}, ${number}`));
    }
    return sent;
  });
  let slowest = 0;
  for (let promotion = 0; promotion < count; promotion += 1) {
    await pause(Math.random() * MOMENT_MAX_MS);
    const startedAt = performance.now();
    await postgres.failOver();
    slowest = Math.max(slowest, performance.now() - startedAt);
    console.error(`  ${promotion + 1} of ${count} promotions`);
  }
  await pause(MOMENT_MAX_MS);
  isOver = true;
  const sent = (await Promise.all(senders)).flat();
  const answers = sent.flatMap((one) => one.answers);
  const having = (status) => answers.filter((answer) => answer.status === status);
  return {
    titles: sent.map(({ title }) => title),
    lines: [
      ['Promotions', String(count), ''],
      ['Slowest, until the next standby had all', `${(slowest / 1000).toFixed(1)} s`, ''],
      ['Capsules created meanwhile', String(sent.length), 'more than 0'],
      ['… found by their key', String(sent.filter(({ wasFound }) => wasFound).length), ''],
      ['Answers 503', String(having(503).length), 'more than 0'],
      ['Answers 500', String(having(500).length), '0'],
    ],
  };
}
