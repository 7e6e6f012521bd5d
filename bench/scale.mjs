import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs, promisify } from 'node:util';
import { badBucket, startBadBucket } from './scale/bad-bucket.mjs';
import { clocks, clocksApart } from './scale/clocks.mjs';
import {
  emailKills,
  startResendBatches,
  startResendSingly,
  startSmtp,
} from './scale/email-kills.mjs';
import { estimate } from './scale/estimate.mjs';
import { kills } from './scale/kills.mjs';
import { CALLS_A_SECOND, notices } from './scale/notices.mjs';
import { startPair } from './scale/postgres.mjs';
import { startProvider } from './scale/provider.mjs';
import { MAX_FILE_MB, proxy } from './scale/proxy.mjs';
import { silentDatabase } from './scale/silent-database.mjs';
import { standby } from './scale/standby.mjs';
import { startWorld } from './scale/world.mjs';
import { tableOf, writeSection } from './support/report.mjs';

/** Of the estimate: [option, default, what it says]. */
const ASSUMPTIONS = [
  ['people', '10000000', 'people with an account'],
  ['capsules', '100000000', 'capsules in all'],
  ['years', '5', 'years in which they were created'],
  ['recipients', '1', 'recipients of a capsule'],
  ['files', '1', 'files of a capsule'],
  ['file-mb', '3', 'megabytes of a file'],
  ['letter', '1000', 'characters of a letter'],
  ['share', '0.1', 'how many of the people come in a day'],
  ['calls-a-day', '20', 'calls of a person who comes'],
  ['peak', '5', 'the busiest second against the average one'],
  ['memory-gb', '64', "memory of the database's machine"],
  ['cores', '16', 'its cores'],
];

const USAGE = `npm run scale [-- EXPERIMENT …] [--kills 200] [--record] [assumptions]
  experiments: proxy, kills, database, standby, bucket, clocks, notices, smtpKills,
    resendKills, batchKills, estimate
    (all when none is named)
  --kills          how often a server is killed, 1,000 at most; of emails, at each step (200)
  --films          how many films are sent to a bad bucket (40)
  --notices        how many notices are due at once (10000)
  --promotions     how often a standby takes over (10)
  --record         write the figures into docs/scale.md
  assumptions of estimate:
${ASSUMPTIONS.map(([name, value, says]) => `    --${name.padEnd(13)}${says} (${value})`).join('\n')}
  Needs the built server (npm run build) and Debian's nginx-light, postgresql, faketime and python3-swift.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '200' },
    promotions: { type: 'string', default: '10' },
    films: { type: 'string', default: '40' },
    notices: { type: 'string', default: '10000' },
    record: { type: 'boolean' },
    help: { type: 'boolean' },
    ...Object.fromEntries(
      ASSUMPTIONS.map(([name, value]) => [name, { type: 'string', default: value }]),
    ),
  },
});
const HEAD = ['What', 'Found', 'Expected', 'Met'];

const EXPERIMENTS = {
  proxy: () =>
    inWorld('Behind nginx', 'proxy', async (world) => ({ lines: await proxy(world), titles: [] })),
  kills: () =>
    inWorld('A server is killed', `kills --kills ${values.kills}`, (world) =>
      kills(world, Number(values.kills)),
    ),
  database: () => inWorld('The database is silent', 'database', silentDatabase),
  standby: () =>
    inWorld(
      'A standby takes over',
      `standby --promotions ${values.promotions}`,
      (world) => standby(world, Number(values.promotions)),
      { startDatabase: startPair },
    ),
  bucket: () =>
    beside(startBadBucket(), (bucket) =>
      inWorld(
        'A bad bucket',
        `bucket --films ${values.films}`,
        (world) => badBucket(world, bucket, Number(values.films)),
        { environment: bucket.settings },
      ),
    ),
  clocks: () =>
    beside(startProvider(), (provider) =>
      inWorld('Two clocks', 'clocks', (world) => clocks(world, provider), {
        environment: provider.settings,
        each: clocksApart(),
      }),
    ),
  notices: () =>
    beside(startProvider(CALLS_A_SECOND), (provider) =>
      inWorld(
        'Many notices at once',
        `notices --notices ${values.notices}`,
        async (world) => ({
          lines: await notices(world, provider, Number(values.notices)),
          titles: [],
        }),
        { environment: provider.settings },
      ),
    ),
  smtpKills: () =>
    emailsKilled('smtpKills', 'A server is killed while it sends by SMTP', startSmtp),
  resendKills: () =>
    emailsKilled(
      'resendKills',
      'A server is killed while it sends one by one to Resend',
      startResendSingly,
    ),
  batchKills: () =>
    emailsKilled(
      'batchKills',
      'A server is killed while it sends batches to Resend',
      startResendBatches,
    ),
  estimate: async () => {
    const given = ASSUMPTIONS.map(([name]) => [name, Number(values[name])]);
    const options = given.map(([name, value]) => `--${name} ${value}`).join(' ');
    const text = await estimate(Object.fromEntries(given));
    report('What it takes', `estimate ${options}`, text);
  },
};

const names = positionals.length > 0 ? positionals : Object.keys(EXPERIMENTS);
const unknown = names.filter((name) => !Object.hasOwn(EXPERIMENTS, name));
if (values.help || unknown.length > 0) {
  console.log(unknown.length > 0 ? `There is no experiment "${unknown[0]}".\n\n${USAGE}` : USAGE);
  process.exit(unknown.length > 0 ? 1 : 0);
}
if (!existsSync('dist/server/main.js')) {
  console.error('The server is not built. Please run: npm run build');
  process.exit(1);
}
for (const name of names) {
  console.error(`${name} …`);
  await EXPERIMENTS[name]();
}

/**
 * Runs an experiment in a world of its own, and looks afterwards at what its database holds.
 * @param {string} heading
 * @param {string} command
 * @param {(world: Awaited<ReturnType<typeof startWorld>>) => Promise<any>} experiment
 * @param {{ environment?: NodeJS.ProcessEnv } & Parameters<typeof startWorld>[1]} [options]
 */
async function inWorld(heading, command, experiment, { environment, ...options } = {}) {
  const limits = { MAX_FILE_MB: String(MAX_FILE_MB), STORAGE_LIMIT_MB: '100000' };
  const world = await startWorld({ ...limits, ...environment }, options);
  try {
    const { lines, titles } = await experiment(world);
    const all = [...lines, ...(await counted(world, titles))].map(([what, found, expected]) => [
      what,
      found,
      expected,
      isMet(found, expected),
    ]);
    report(heading, command, tableOf(HEAD, all));
    if (all.some(([, , , met]) => met === 'no')) process.exitCode = 1;
  } finally {
    await world.close();
  }
}

function emailsKilled(name, heading, start) {
  return beside(start(), (steps) =>
    inWorld(
      heading,
      `${name} --kills ${values.kills}`,
      async (world) => ({
        lines: await emailKills(world, steps, Number(values.kills)),
        titles: [],
      }),
      { environment: steps.settings },
    ),
  );
}

/** Runs with a service that the servers use, which is closed afterwards. */
async function beside(starting, run) {
  const service = await starting;
  try {
    await run(service);
  } finally {
    await service.close();
  }
}

/** Each capsule by its title, which no other one has, and each file by its hash. */
async function counted({ postgres, environment }, titles) {
  // Not waited for in one call: a bucket may be behind a proxy of this process.
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/operator/fsck.mjs'], {
    env: { PATH: process.env.PATH, ...environment },
  }).catch((foundFaults) => foundFaults);
  const [, files, faults] = /(\d+) files? checked.* (\d+) missing or damaged/.exec(stdout) ?? [];
  const fsck = [`Files missing or damaged, of ${files} (npm run fsck)`, String(faults), '0'];
  if (titles.length === 0) return [fsck];
  const rows =
    await postgres.sql`select title, count(*)::int as count from capsules group by title`;
  const found = new Map(rows.map(({ title, count }) => [title, count]));
  const lost = titles.filter((title) => !found.has(title));
  const more = rows.filter(({ count }) => count > 1);
  return [
    ['Capsules lost', String(lost.length), '0'],
    ['Capsules sealed twice', String(more.length), '0'],
    fsck,
  ];
}

function isMet(found, expected) {
  if (expected === '') return '';
  const limit = /^(more than|at most) ([\d.]+)/.exec(expected);
  const number = Number.parseFloat(found);
  const met = limit
    ? limit[1] === 'more than'
      ? number > Number(limit[2])
      : number <= Number(limit[2])
    : found === expected;
  return met ? 'yes' : 'no';
}

function report(heading, command, text) {
  console.log(`\n${heading}\n\n${text}`);
  if (!values.record) return;
  writeSection({
    path: 'docs/scale.md',
    heading,
    command: `npm run build && npm run scale -- ${command}`,
    text,
  });
}
