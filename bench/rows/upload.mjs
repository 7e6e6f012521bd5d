import { inTurn, limitRow, ratioRow, settleDisk } from '../support/measure.mjs';
import { capsuleFor, signUp } from '../support/person.mjs';
import { startFloor, watchMemory } from '../support/process.mjs';
import { sendCapsule, sendRaw } from '../support/transfer.mjs';

const MEGABYTE = 1_048_576;
const BYTES = 500 * MEGABYTE;

/**
 * One capsule with a film of 500 MB against the same bytes piped to a file. Also the memory it
 * took.
 */
export async function upload({ rounds, server, person, floorDirectory }) {
  const floor = await startFloor('receive.mjs', { directory: floorDirectory });
  const growth = [];
  try {
    const speeds = await inTurn(
      rounds,
      async () => {
        const { result, megabytes } = await watchMemory(server.pid, () =>
          seal(server, person, BYTES),
        );
        growth.push(megabytes);
        return BYTES / MEGABYTE / result.seconds;
      },
      async () => {
        const { seconds } = await sendRaw(floor.port, BYTES);
        settleDisk();
        return BYTES / MEGABYTE / seconds;
      },
    );
    return [
      ratioRow('Upload of 500 MB', 'MB/s', speeds, 0.85),
      limitRow('Memory growth for it', 'MB', growth, 50),
    ];
  } finally {
    await floor.stop();
  }
}

/** The memory that twenty films of 100 MB at once take, ten each of two people: one may not send twenty. */
export async function manyUploads({ server, person }) {
  const people = [person, await signUp(server.port, 'other')];
  const { megabytes } = await watchMemory(server.pid, () =>
    Promise.all(
      Array.from({ length: 20 }, (_, index) => seal(server, people[index % 2], 100 * MEGABYTE)),
    ),
  );
  return [limitRow('Memory growth for 20 uploads of 100 MB at once', 'MB', [megabytes], 150)];
}

/** Seals a capsule and deletes it, without counting the time of the deletion. */
async function seal(server, person, bytes) {
  const result = await sendCapsule(server.port, {
    headers: person.headers(),
    capsule: capsuleFor(person.email),
    bytes,
  });
  await person.call('DELETE', `/api/capsules/${JSON.parse(result.body).id}`);
  settleDisk();
  return result;
}
