import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ourSide } from '../peers/our-side.mjs';
import { parseSide } from '../peers/parse-side.mjs';
import { jobsASecond } from '../support/keep-alive.mjs';
import { inTurn, ratioRow, settleDisk } from '../support/measure.mjs';

/**
 * Fetched by npm when it is run, so that it is not a dependency. With the router of its own tests: a
 * newer one, which npm would take, breaks its code for the cloud.
 */
const PEER = {
  private: true,
  dependencies: { 'parse-server': '9.10.0' },
  overrides: { router: '2.2.0' },
};
const FETCH = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
const MEGABYTE = 1_048_576;

const JOBS = [
  ['letter', 'A letter'],
  ['photo', 'A letter with a photo of 1 MB'],
  ['created', 'List of created capsules'],
  ['received', 'List of received capsules'],
  ['detail', 'Detail of an open capsule'],
  ['download', 'Download of 1 MB'],
];

/** What people do most, against a Parse Server on the same PostgreSQL. Both wait for the disk. */
export async function peers({ rounds, server, database, dataDir, floorDirectory }) {
  writeFileSync(join(floorDirectory, 'package.json'), JSON.stringify(PEER));
  execFileSync('npm', FETCH, { cwd: floorDirectory, stdio: ['ignore', 'ignore', 'inherit'] });
  const theirs = await parseSide({ database, directory: floorDirectory });
  try {
    const ours = await ourSide({ server, database, dataDir });
    await database.settle();
    const rows = [];
    for (const [name, what] of JOBS) {
      const isDownload = name === 'download';
      const measure = (side) => async () => {
        const before = await side.count();
        const done = await jobsASecond(side.port, side.jobs[name]);
        await checkRound(side, name, before, done);
        settleDisk();
        return isDownload ? done.bytes / MEGABYTE / done.seconds : done.jobs / done.seconds;
      };
      const results = await inTurn(rounds, measure(ours), measure(theirs));
      console.error(name, results);
      rows.push(ratioRow(what, isDownload ? 'MB/s' : '/s', results, 1.2));
    }
    return rows;
  } finally {
    await theirs.stop();
  }
}

/** Every job has left its row and its file, and what comes back is what was sent. */
async function checkRound(side, name, before, { jobs, bytes }) {
  const after = await side.count();
  const expected = {
    capsules: name === 'letter' || name === 'photo' ? jobs : 0,
    files: name === 'photo' ? jobs : 0,
  };
  for (const [what, count] of Object.entries(expected)) {
    const found = after[what] - before[what];
    if (found !== count)
      throw new Error(`${side.name}: ${found} ${what} of ${count} after ${name}`);
  }
  if (name === 'download' && bytes !== jobs * MEGABYTE)
    throw new Error(`${side.name}: ${bytes} bytes`);
  await side.check(name);
}
