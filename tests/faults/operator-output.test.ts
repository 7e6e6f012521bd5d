import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../server/project-root.ts';
import { startNameServer } from '../support/name-server.ts';

/** Runs `npm run admin` on the server that was built for these tests, as a process of its own. */
async function admin(...args: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'time-capsule-operator-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const scripts = join('scripts', 'operator');
  await mkdir(join(folder, scripts), { recursive: true });
  await mkdir(join(folder, 'dist'));
  await symlink(dirname(inject('serverEntry')), join(folder, 'dist', 'server'));
  for (const name of ['admin.mjs', 'operator.mjs']) {
    await copyFile(join(projectRoot, scripts, name), join(folder, scripts, name));
  }
  const command = [join(folder, scripts, 'admin.mjs'), ...args];
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, command, { env: {} }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

test('what a check found is on standard output, also when it is not good', async () => {
  const dns = await startNameServer({ 'example.org': ['v=spf1 include:amazonses.com ~all'] });
  const check = ['email-domain', 'example.org', '--dns', dns];
  const found = await admin(...check, '--json');
  expect(found).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(found.stdout)).toMatchObject([
    { record: 'SPF', state: 'good' },
    { record: 'DKIM', state: 'missing' },
    { record: 'DMARC', state: 'missing' },
  ]);
  const printed = await admin(...check);
  expect(printed).toMatchObject({ code: 1, stderr: '' });
  expect(printed.stdout).toMatch(/^DKIM +missing/m);
});

test('a refusal is on standard error alone', async () => {
  expect(await admin('email-test', 'nobody', '--json')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'This is not an email address: "nobody"\n',
  });
});
