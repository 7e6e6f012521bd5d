import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isMain } from '../is-main.mjs';
import { fill, startServer, verify } from './takeover-world.mjs';

const USAGE = `npm run takeover [-- COMMIT …]
  Fills a database by the server of an earlier version, starts those on it that lead to 1.0.0, then
  this one, and compares what people have. Without a COMMIT by 9d21645 and by fb69740.`;

const VERSIONS = ['9d21645', 'fb69740'];
/** The commits that lead to 1.0.0, in their order, as docs/upgrading.md says. */
const STEPS = ['8e9d48e', '9c29ff7'];
const PORT = 38_417;
/** Nobody listens there: emails wait. */
const NO_EMAILS = { SMTP_URL: 'smtp://127.0.0.1:9', EMAIL_VERIFICATION: 'off' };

function run(command, args, options = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
  return stdout;
}

/** Whether a commit is part of another one's history. */
function isOlder(commit, other) {
  return spawnSync('git', ['merge-base', '--is-ancestor', commit, other]).status === 0;
}

/** Builds a version. @returns its folder */
function buildVersion(parent, commit) {
  const folder = join(parent, commit);
  const archive = join(parent, `${commit}.tar`);
  run('git', ['archive', `--prefix=${commit}/`, `--output=${archive}`, commit]);
  run('tar', ['-xf', archive, '-C', parent]);
  const isSame = run('git', ['diff', '--name-only', commit, '--', 'package-lock.json']) === '';
  if (isSame) symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  else run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
  run('npm', ['run', 'build'], { cwd: folder });
  return folder;
}

async function takeOver(parent, commit, steps) {
  const dataDir = join(parent, `data-${commit}`);
  const start = (folder, environment = {}) =>
    startServer(folder, { DATA_DIR: dataDir, PORT: String(PORT), ...environment });
  const old = buildVersion(parent, commit);
  const filled = await fill({
    dataDir,
    start: (environment) => start(old, environment),
    NO_EMAILS,
  });
  for (const folder of steps) {
    const step = await start(folder, NO_EMAILS);
    await step.stop();
  }
  const figures = await verify({ dataDir, filled, start: () => start(resolve('.')) });
  console.log(`${commit}: ${JSON.stringify(figures)}`);
}

async function main(commits) {
  if (commits.some((commit) => commit.startsWith('-'))) {
    console.error(USAGE);
    return 1;
  }
  const parent = mkdtempSync(join(tmpdir(), 'time-capsule-takeover-'));
  try {
    run('npm', ['run', 'build']);
    const steps = STEPS.map((commit) => ({ commit, folder: buildVersion(parent, commit) }));
    for (const commit of commits.length > 0 ? commits : VERSIONS) {
      const left = steps.filter((step) => !isOlder(step.commit, commit));
      await takeOver(
        parent,
        commit,
        left.map(({ folder }) => folder),
      );
    }
    return 0;
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

if (isMain(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
