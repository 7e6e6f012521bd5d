import { setTimeout as pause } from 'node:timers/promises';
import { signUp } from '../support/person.mjs';
import { answerOf, createUntilSealed } from './sender.mjs';

const PEOPLE = 4;
const FROZEN_SECONDS = 30;
/** Answers of a silent database, with room for a slow machine. */
const ANSWER_WITHIN_S = 14;

/**
 * Stops the database's processes for 30 s, then restarts it as in a planned restart and as after a
 * crash, while people create and read. @returns lines of the table, and what has been sent
 */
export async function silentDatabase({ url, port, postgres }) {
  const people = [];
  for (let index = 0; index < PEOPLE; index += 1) {
    people.push(await signUp(port, `patient-${index}`));
  }
  const lines = [];
  const titles = [];
  /** @type {[what: string, disturb: () => Promise<void>][]} */
  const disturbances = [
    ['Frozen for 30 s (SIGSTOP)', () => postgres.freeze(FROZEN_SECONDS)],
    ['Restarted (SIGINT)', () => postgres.restart('SIGINT')],
    ['Restarted after a crash (SIGQUIT)', () => postgres.restart('SIGQUIT')],
  ];
  for (const [what, disturb] of disturbances) {
    let isOver = false;
    const senders = people.map(async (person) => {
      const sent = [];
      for (let number = 0; !isOver; number += 1) {
        const title = `${what}, ${person.name}, ${number}`;
        sent.push(await createUntilSealed(url, person, title));
        titles.push(title);
        await pause(100);
      }
      return sent;
    });
    const readers = people.map(async (person) => {
      const answers = [];
      while (!isOver) {
        answers.push(await timedRead(`${url}/api/capsules/created`, person));
        await pause(200);
      }
      return answers;
    });
    await pause(1_000);
    await disturb();
    const backAt = performance.now();
    await untilRead(`${url}/api/capsules/created`, people[0]);
    const recoveredMs = performance.now() - backAt;
    await pause(1_000);
    isOver = true;
    const sent = (await Promise.all(senders)).flat();
    const answers = [
      ...(await Promise.all(readers)).flat().map((answer) => ({ ...answer, call: 'list' })),
      ...sent.flatMap(({ answers }) => answers).map((answer) => ({ ...answer, call: 'create' })),
    ];
    const refused = answers.filter(({ status }) => status >= 500);
    const proper = refused.filter(({ status, retryAfter }) => status === 503 && retryAfter);
    const slowest = answers.reduce((a, b) => (a.ms > b.ms ? a : b));
    const cuts = sent.reduce((sum, { cuts }) => sum + cuts, 0);
    lines.push(
      [`${what}: answers`, String(answers.length), ''],
      [`${what}: errors of the server`, String(refused.length), 'more than 0'],
      [`${what}: … of them 503 with Retry-After`, String(proper.length), String(refused.length)],
      [`${what}: requests without an answer of the server`, String(cuts), '0'],
      [
        `${what}: slowest answer`,
        `${(slowest.ms / 1000).toFixed(1)} s (${slowest.call}, ${slowest.status})`,
        `at most ${ANSWER_WITHIN_S} s`,
      ],
      [`${what}: first answer afterwards`, `${(recoveredMs / 1000).toFixed(1)} s`, ''],
    );
  }
  return { lines, titles };
}

async function timedRead(address, person) {
  const startedAt = performance.now();
  const ask = () => fetch(address, { headers: person.headers() });
  const answer = await answerOf(await ask().catch((error) => askAgain(error, ask)));
  return { ...answer, ms: performance.now() - startedAt };
}

/** nginx closes a connection whose last body was refused unread. A browser asks again by itself. */
function askAgain(error, ask) {
  if (['UND_ERR_SOCKET', 'ECONNRESET'].includes(error.cause?.code)) return ask();
  throw error;
}

async function untilRead(address, person) {
  while ((await timedRead(address, person)).status !== 200) await pause(50);
}
