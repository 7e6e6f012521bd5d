import { limitRow } from '../support/measure.mjs';
import { startServer, temporaryDirectory } from '../support/process.mjs';

/** From the command to ready, with the embedded database and an existing data directory. */
export async function start({ rounds }) {
  const directory = await temporaryDirectory();
  try {
    const seconds = [];
    for (let round = 0; round <= rounds; round += 1) {
      const server = await startServer(directory.path);
      if (round > 0) seconds.push(server.readyMs / 1000);
      await server.stop();
    }
    return [limitRow('Start to ready, warm', 's', seconds, 2)];
  } finally {
    await directory.remove();
  }
}
