import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

test('SIGTERM to `npm start` reaches the server: no shell stands in between', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'time-capsule-start-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'scripts'));
  writeFileSync(join(folder, 'scripts', 'start.mjs'), 'console.log(process.pid);');
  // npm runs a script like this, and signals what it has started.
  const { pid, stdout } = spawnSync('sh', ['-c', scripts.start], { cwd: folder, encoding: 'utf8' });
  expect(stdout.trim()).toBe(String(pid));
});
