import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ATTACKED_DOMAIN, ATTACKS } from '../siege/attacks.mjs';
import { countLost, evening, Refused, takePhoto } from '../siege/honest.mjs';
import { openDatabase } from '../support/database.mjs';
import { limitRow, median } from '../support/measure.mjs';
import { memoryOf, startServer, stop } from '../support/process.mjs';

const ATTACKER = fileURLToPath(new URL('../siege/attacker.mjs', import.meta.url));
/** What an attack prepares takes some hundred calls. */
const PREPARE_MS = 300_000;
/** An attack has its effect by then. */
const BEGUN_MS = 500;
/** Until the server has noticed that an attack is over. */
const SETTLE_MS = 2_000;
/** Until it has let go of what it took for the last one. */
const REST_MS = 15_000;

/**
 * All attacks, one after another, on one server. Beside each, families at other addresses register,
 * seal, add by a link and open, and so they do in peace before it. Nobody may be refused, nothing
 * may be lost, and every call may take twice its time.
 */
export async function siege({ rounds, floorDirectory }) {
  const dataDir = join(floorDirectory, 'siege');
  const server = await startServer(dataDir, {
    ...{ STORAGE_LIMIT_MB: '60', EMAIL_VERIFICATION: 'on', SITE_CONTACT: 'host@bench.example' },
    APP_URL: 'http://localhost:3000',
  });
  const database = openDatabase(dataDir);
  const world = { server, database, dataDir, photo: await takePhoto() };
  const families = newFamilies(world);
  try {
    // A server that has just started compiles, and opens connections.
    for (let count = 0; count < 3; count += 1) await families.evening('warm-up');
    const before = memoryOf(server.pid).now;
    const refusals = [];
    for (const [number, name] of Object.keys(ATTACKS).entries()) {
      console.error(`  ${name} …`);
      for (let round = 0; round < rounds; round += 1) await families.evening('idle');
      const domain = name.includes('the domain of others') ? ATTACKED_DOMAIN : undefined;
      const attacker = await begin({ server, database, name, number });
      try {
        for (let round = 0; round < rounds; round += 1) {
          const refused = await families.evening(name, domain);
          if (refused) refusals.push(`${name}: ${refused}`);
        }
      } finally {
        await stop(attacker, 'SIGKILL');
      }
      if (!server.isRunning()) throw new Error(`${name}: the server has ended`);
      await delay(SETTLE_MS);
    }
    await delay(REST_MS);
    for (const refusal of refusals) console.error(refusal);
    const growth = memoryOf(server.pid).now - before;
    return [
      ...families.rows(Object.keys(ATTACKS)),
      limitRow('Calls of the families that were refused', '', [refusals.length], 0),
      limitRow('Letters and photos of theirs that were lost', '', [await families.lost()], 0),
      limitRow('Memory after all attacks, beyond that before', 'MB', [growth], 50),
    ];
  } finally {
    await database.close();
    await server.stop();
  }
}

/** Families at addresses of their own, and what each of their calls took, in peace and under attack. */
function newFamilies(world) {
  let count = 0;
  const sealed = [];
  /** By the name of the attack, then by that of the call. */
  const taken = new Map();

  function note(when, call, ms) {
    const calls = taken.get(when) ?? new Map();
    taken.set(when, calls);
    calls.set(call, [...(calls.get(call) ?? []), ms]);
  }

  return {
    /** @returns what was refused; null where nothing was */
    async evening(when, domain = `family-${count}.example`) {
      count += 1;
      const address = `127.${50 + Math.floor(count / 250)}.${count % 250}.1`;
      try {
        const tell = (call, ms, isDone) => isDone && note(when, call, ms);
        sealed.push(await evening(world, { address, domain }, tell));
        return null;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (when === 'idle' || when === 'warm-up') throw error;
        return error.message;
      }
    },
    async lost() {
      let lost = 0;
      for (const one of sealed) lost += await countLost(one, world.photo);
      return lost;
    },
    rows(attacks) {
      const idle = taken.get('idle') ?? new Map();
      const under = (call) => attacks.flatMap((attack) => taken.get(attack)?.get(call) ?? []);
      const ofCall = [...idle].map(([call, floor]) =>
        bothRow(`Under all attacks: ${call}`, 'ms', under(call), median(floor)),
      );
      // Calls differ: each counts by how many times its own median in peace it took.
      const ofAttack = attacks.map((attack) => {
        const times = [...(taken.get(attack) ?? [])].flatMap(([call, all]) =>
          all.map((ms) => ms / median(idle.get(call))),
        );
        return bothRow(attack, 'times', times, 1);
      });
      return [...ofCall, ...ofAttack];
    },
  };
}

/** A row: our median, and the 95th percentile, against the median in peace. Nothing counts as too long. */
function bothRow(what, unit, values, floor) {
  const sorted = [...values].sort((a, b) => a - b);
  const ours = [0.5, 0.95].map((part) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN);
  const times = ours.map((one) => one / floor);
  return {
    what,
    ours: ours.map((one) => `${one.toFixed(1)} ${unit}`).join(', '),
    floor: unit === 'ms' ? `${floor.toFixed(1)} ms` : '',
    result: times.map((one) => one.toFixed(1)).join(', '),
    goal: '≤ 2',
    met: times.every((one) => one <= 2),
  };
}

/** Starts an attacker, does for it what only the database can, and waits until it attacks. */
async function begin({ server, database, name, number }) {
  const attacker = fork(ATTACKER);
  const isReady = new Promise((resolve, reject) => {
    attacker.once('exit', (code) => reject(new Error(`${name}: the attacker ended with ${code}`)));
    setTimeout(() => reject(new Error(`${name}: not prepared in time`)), PREPARE_MS).unref();
    attacker.on('message', async (message) => {
      const { what, value } = /** @type {{ what?: string, value?: string }} */ (message);
      if (what === undefined) return resolve(null);
      if (what === 'unlock') await database.unlock(value);
      else await database.confirm(value);
      attacker.send('done');
    });
  });
  attacker.send({ port: server.port, name, number });
  await isReady.catch(async (error) => {
    await stop(attacker, 'SIGKILL');
    throw error;
  });
  attacker.removeAllListeners('exit');
  await delay(BEGUN_MS);
  return attacker;
}
