import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isMain } from '../is-main.mjs';

const USAGE = `npm run previous [-- COMMIT [vitest's options]]
  Runs the API tests of an earlier version on a database with the migrations of this one, as when
  both run side by side. Without a COMMIT it is the one before the newest migration. From 1.0.0 on.`;

/** The first migration of 1.0.0. Versions without it, or with another one, know other tables. */
const START = 'migrations/0000_time_capsule.sql';

function run(command, args, options = {}) {
  const { status, stdout, error } = spawnSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 30,
    ...options,
  });
  if (error || status !== 0) throw new Error(`${command} ${args[0]} failed`);
  return stdout;
}

/** The commit before the one that last added a migration. */
function beforeNewestMigration() {
  const added = ['--diff-filter=A', '--', 'migrations/*.sql'];
  return `${run('git', ['log', '-1', '--format=%H', ...added]).trim()}^`;
}

function main([commit = beforeNewestMigration(), ...options]) {
  if (commit.startsWith('-')) {
    console.error(USAGE);
    return 1;
  }
  if (run('git', ['diff', '--name-only', commit, '--', START]) !== '') {
    console.log('There is nothing to try: no version before 1.0.0 can run on these tables.');
    return 0;
  }
  const directory = mkdtempSync(join(tmpdir(), 'time-capsule-previous-'));
  try {
    const archive = join(directory, '.previous.tar');
    run('git', ['archive', `--output=${archive}`, commit]);
    run('tar', ['-xf', archive, '-C', directory]);
    rmSync(join(directory, 'migrations'), { recursive: true });
    cpSync('migrations', join(directory, 'migrations'), { recursive: true });
    // Its packages may have been replaced since.
    if (run('git', ['diff', '--name-only', commit, '--', 'package-lock.json']) === '') {
      symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
    } else run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: directory });
    console.log(run('git', ['log', '-1', '--format=The API tests of %h, %s', commit]).trim());
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'api', ...options];
    const { status } = spawnSync(process.execPath, vitest, { cwd: directory, stdio: 'inherit' });
    return status ?? 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

if (isMain(import.meta.url)) process.exitCode = main(process.argv.slice(2));
