/*
 * A process that attacks: it prepares what it needs, says so, and goes on until it is ended. In a
 * process of its own, so that its work doesn't delay the calls that are measured.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ATTACKS } from './attacks.mjs';
import { createCaller } from './caller.mjs';

const PASSWORD = 'correct horse';

process.once('message', async ({ port, name, number }) => {
  let people = 0;
  const world = {
    port,
    /** A client at an address of its own. Each attack has a net of its own: limits count. */
    async client(host = 1, net = 0) {
      const caller = createCaller(port, `127.${100 + number}.${net}.${host}`);
      await caller.arrive();
      return caller;
    },
    /** Somebody with an account, whose address counts as confirmed. */
    async person(host = 1, net = 0) {
      const caller = await world.client(host, net);
      people += 1;
      const email = `attacker-${people}@attack-${number}.example`;
      await done(
        caller.call('POST', '/auth/register', { json: { name: 'Eve', email, password: PASSWORD } }),
      );
      await inDatabase('confirm', email);
      await done(caller.call('POST', '/auth/login', { json: { email, password: PASSWORD } }));
      return Object.assign(caller, { email });
    },
    unlock: (id) => inDatabase('unlock', id),
    done,
    pause: delay,
    /** Does this again and again, with a pause, a bounded number of times. */
    async again(times, pauseMs, work) {
      for (let count = 0; count < times; count += 1) {
        await work(count);
        await delay(pauseMs);
      }
    },
  };
  const attack = await ATTACKS[name](world);
  process.send?.({ isReady: true });
  await attack();
});

/** What no call can do is done by the process that measures, in the database. */
function inDatabase(what, value) {
  return new Promise((resolve) => {
    process.once('message', resolve);
    process.send?.({ what, value });
  });
}

/** Of a call that the attack needs to go well. */
async function done(calling) {
  const answer = await calling;
  if (answer.status < 200 || answer.status >= 300) {
    throw new Error(`An attacker was refused: ${answer.status} ${answer.bytes.subarray(0, 200)}`);
  }
  return answer;
}
