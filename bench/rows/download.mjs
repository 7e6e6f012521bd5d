import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inTurn, ratioRow } from '../support/measure.mjs';
import { capsuleFor } from '../support/person.mjs';
import { startFloor } from '../support/process.mjs';
import { receive, sendCapsule } from '../support/transfer.mjs';

const MEGABYTE = 1_048_576;
const BYTES = 500 * MEGABYTE;
const MIDDLE = { Range: `bytes=${200 * MEGABYTE}-${300 * MEGABYTE - 1}` };

/** A film of 500 MB in an opened capsule against a bare read stream: all of it, and 100 MB from its middle. */
export async function download({ rounds, server, person, floorDirectory, database }) {
  const { body } = await sendCapsule(server.port, {
    headers: person.headers(),
    capsule: capsuleFor(person.email),
    bytes: BYTES,
  });
  const { id } = JSON.parse(body);
  await database.unlock(id);
  const capsule = await person.call('GET', `/api/capsules/${id}`);
  const path = `/api/capsules/download/${capsule.fileInfo[0].fileId}`;
  // A copy of the same bytes, so that the system caches both files or neither.
  const copy = join(floorDirectory, 'film');
  const whole = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: person.headers(),
  });
  const film = /** @type {import('node:stream/web').ReadableStream} */ (whole.body);
  await pipeline(Readable.fromWeb(film), createWriteStream(copy));
  const floor = await startFloor('send.mjs', { path: copy });
  try {
    const compare = (range, bytes) =>
      inTurn(
        rounds,
        () => speed(server.port, path, { ...person.headers(), ...range }, bytes),
        () => speed(floor.port, '/', range, bytes),
      );
    return [
      ratioRow('Download of 500 MB', 'MB/s', await compare({}, BYTES), 0.9),
      ratioRow('100 MB from its middle', 'MB/s', await compare(MIDDLE, 100 * MEGABYTE), 0.9),
    ];
  } finally {
    await floor.stop();
    await person.call('DELETE', `/api/capsules/${id}`);
  }
}

async function speed(port, path, headers, bytes) {
  const answer = await receive(port, path, headers);
  if (answer.bytes < bytes) throw new Error(`${path}: only ${answer.bytes} bytes came`);
  return bytes / MEGABYTE / answer.seconds;
}
