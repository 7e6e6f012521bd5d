import { limitRow } from '../support/measure.mjs';
import { capsuleFor } from '../support/person.mjs';
import { watchMemory } from '../support/process.mjs';
import { receive, sendCapsule } from '../support/transfer.mjs';

const MEGABYTE = 1_048_576;
const FILMS = 100;
const FILM_BYTES = 20.5 * MEGABYTE;

/** The memory that an export takes: 1,000 capsules, more than half of them open, with 2 GB of films. */
export async function keepsake({ rounds, server, person, database }) {
  const { id: userId } = await person.call('GET', '/user/me');
  for (let film = 0; film < FILMS; film += 1) {
    const { body } = await sendCapsule(server.port, {
      headers: person.headers(),
      capsule: capsuleFor(person.email),
      bytes: FILM_BYTES,
    });
    await database.unlock(JSON.parse(body).id);
  }
  // After the films: so many in one day would be refused.
  await database.addCapsules(userId, 1_000 - FILMS);
  const growth = [];
  for (let round = 0; round < rounds; round += 1) {
    const { result, megabytes } = await watchMemory(server.pid, () =>
      receive(server.port, '/user/export', person.headers()),
    );
    if (result.bytes < FILMS * FILM_BYTES) throw new Error(`only ${result.bytes} bytes came`);
    console.error(`  ${result.bytes} bytes in ${result.seconds.toFixed(1)} s`);
    growth.push(megabytes);
  }
  return [limitRow('Memory growth for an export of 1,000 capsules and 2 GB', 'MB', growth, 150)];
}
