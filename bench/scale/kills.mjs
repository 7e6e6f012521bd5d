import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../support/measure.mjs';
import { signUp } from '../support/person.mjs';
import { createUntilSealed, film } from './sender.mjs';

/** A person may send 500 capsules a day to one recipient: with eight people, up to 1,000 kills. */
const PEOPLE = 8;
const AT_ONCE = 4;
const FILE_BYTES = 1_048_576;

/**
 * Kills a server `kills` times with SIGKILL, each time at a random moment of four creates, one
 * server after the other. @returns lines of the table, and what has been sent
 */
export async function kills({ url, port, servers }, count) {
  const people = [];
  for (let index = 0; index < PEOPLE; index += 1) {
    people.push(await signUp(port, `sender-${index}`));
  }
  const content = film(FILE_BYTES);
  const usual = [];
  for (const person of people) {
    const startedAt = performance.now();
    await createUntilSealed(url, person, `Before, ${person.name}`, content);
    usual.push(performance.now() - startedAt);
  }
  const momentMax = 4 * median(usual);

  const creates = [];
  for (let kill = 0; kill < count; kill += 1) {
    for (let index = 0; index < AT_ONCE; index += 1) {
      const person = people[(kill * AT_ONCE + index) % PEOPLE];
      creates.push(createUntilSealed(url, person, `Kill ${kill}, ${index}`, content));
    }
    const server = servers[kill % servers.length];
    await pause(Math.random() * momentMax);
    await server.kill();
    await server.start();
    if ((kill + 1) % 10 === 0) console.error(`  ${kill + 1} of ${count} kills`);
  }
  const sent = await Promise.all(creates);
  const cut = sent.filter(({ cuts }) => cuts > 0);
  const found = sent.filter(({ wasFound }) => wasFound);
  const wrong = sent.flatMap(({ answers }) => answers).filter(({ status }) => status === 500);
  return {
    titles: [...people.map(({ name }) => `Before, ${name}`), ...sent.map(({ title }) => title)],
    lines: [
      ['Kills', String(count), ''],
      ['Creates with a film of 1 MB', String(sent.length), ''],
      ['… of them cut by a kill, and asked for again', String(cut.length), 'more than 0'],
      ['… of them sealed all the same, found by their key', String(found.length), ''],
      ['Answers 500', String(wrong.length), '0'],
    ],
  };
}
