import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { blocks } from './rows/blocks.mjs';
import { cached } from './rows/cached.mjs';
import { calls } from './rows/calls.mjs';
import { download } from './rows/download.mjs';
import { drain } from './rows/drain.mjs';
import { floods } from './rows/floods.mjs';
import { keep } from './rows/keep.mjs';
import { keepsake } from './rows/keepsake.mjs';
import { offlineStart } from './rows/offline.mjs';
import { peers } from './rows/peers.mjs';
import { siege } from './rows/siege.mjs';
import { manyCapsules, manyPeople } from './rows/size.mjs';
import { start } from './rows/start.mjs';
import { manyUploads, upload } from './rows/upload.mjs';
import { openDatabase } from './support/database.mjs';
import { signUp } from './support/person.mjs';
import { startServer, temporaryDirectory } from './support/process.mjs';
import { table, writeReport } from './support/report.mjs';

const ROWS = {
  upload,
  download,
  calls,
  start,
  many: manyUploads,
  heavy: manyCapsules,
  people: manyPeople,
  keepsake,
  floods,
  attacks: siege,
  blocks,
  keep,
  drain,
  offline: offlineStart,
  cached,
  peers,
};

const USAGE = `npm run bench [-- ROW …] [--rounds 5] [--capsules 100000] [--no-report]
  rows: ${Object.keys(ROWS).join(', ')} (all when none is named)
  Needs Linux and the built server (npm run build). TMPDIR chooses the disk that is measured.
  Its sections of docs/benchmark-figures.md: that of "attacks" is written whenever they ran, the other one when all rows did.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    rounds: { type: 'string', default: '5' },
    capsules: { type: 'string', default: '100000' },
    report: { type: 'boolean', default: true },
    help: { type: 'boolean' },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(ROWS);
const unknown = names.filter((name) => !Object.hasOwn(ROWS, name));
if (values.help || unknown.length > 0) {
  console.log(unknown.length > 0 ? `There is no row "${unknown[0]}".\n\n${USAGE}` : USAGE);
  process.exit(unknown.length > 0 ? 1 : 0);
}
if (!existsSync('dist/server/main.js')) {
  console.error('The server is not built. Please run: npm run build');
  process.exit(1);
}

const directory = await temporaryDirectory();
try {
  const rows = [];
  for (const name of names) {
    console.error(`${name} …`);
    try {
      const found = await runRow(ROWS[name], join(directory.path, name));
      if (name === 'attacks' && values.report) reportAttacks(found);
      rows.push(...found);
    } catch (error) {
      // The other rows still run, and their figures are printed.
      console.error(`${name} failed:`, error);
      process.exitCode = 1;
    }
  }
  console.log(table(rows));
  if (values.report && positionals.length === 0 && !process.exitCode) {
    writeReport('Server and device', rows, 'npm run build && npm run bench', {
      intro: `Each figure is a median of at least five runs, with the lowest and the highest in brackets. Ours and the floor run
in turn, in processes of their own, in the same run.`,
    });
  }
} finally {
  await directory.remove();
}

/** All attacks on one server are a table of their own. */
function reportAttacks(rows) {
  const rounds = values.rounds === '5' ? '' : ` --rounds ${values.rounds}`;
  const command = `npm run build && npm run bench -- attacks${rounds}`;
  writeReport('Under attack', rows, command, {
    intro: `What families notice while sixteen attacks run one after another on one server: their calls in peace are the floor.
Two figures are a median and a 95th percentile, and both stand against the median in peace. Beside one attack, each call counts by how many
times its own median in peace it took; NaN is where the first call was refused.`,
  });
}

/** Each row gets its own server and an empty data directory. */
async function runRow(row, path) {
  const dataDir = join(path, 'data');
  const floorDirectory = join(path, 'floor');
  await mkdir(floorDirectory, { recursive: true });
  const server = await startServer(dataDir, {
    MAX_FILE_MB: '600',
    STORAGE_LIMIT_MB: '100000',
    // People can come from addresses of their own.
    TRUST_PROXY: '1',
  });
  const database = openDatabase(dataDir);
  try {
    const person = await signUp(server.port);
    const given = { server, person, database, dataDir, floorDirectory };
    const capsules = Number(values.capsules);
    return await row({ rounds: Number(values.rounds), capsules, ...given });
  } finally {
    await database.close();
    await server.stop();
  }
}
