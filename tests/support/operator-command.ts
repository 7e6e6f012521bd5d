import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { projectRoot } from '../../server/project-root.ts';
import { asMyself, type Runner } from './server-process.ts';

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs `npm run <name>` on the server that was built for these tests, as a process of its own. @param
 * signal kills it
 */
export async function runOperatorCommand(
  name: string,
  args: string[],
  {
    runner = asMyself,
    env = {},
    signal,
  }: { runner?: Runner; env?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Finished> {
  const folder = await mkdtemp(join(tmpdir(), 'time-capsule-operator-'));
  try {
    const scripts = join('scripts', 'operator');
    await mkdir(join(folder, scripts), { recursive: true });
    await mkdir(join(folder, 'dist'));
    await symlink(dirname(inject('serverEntry')), join(folder, 'dist', 'server'));
    for (const file of [`${name}.mjs`, 'operator.mjs']) {
      await copyFile(join(projectRoot, scripts, file), join(folder, scripts, file));
    }
    const script = join(folder, scripts, `${name}.mjs`);
    const [command = '', ...rest] = [...runner.prefix, process.execPath, script, ...args];
    const child = spawn(command, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    signal?.addEventListener('abort', () => child.kill('SIGKILL'));
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code, stdout, stderr };
  } finally {
    await rm(folder, { recursive: true });
  }
}
