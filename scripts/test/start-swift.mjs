import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findSwift } from '../find/find-swift.mjs';

const PROGRAM = fileURLToPath(new URL('swift-server.py', import.meta.url));

/** @typedef {Awaited<ReturnType<typeof startSwift>>} Swift */

/** OpenStack Swift in a folder of its own, with an empty bucket. It checks signatures. */
export async function startSwift() {
  const folder = await mkdtemp(join(tmpdir(), 'time-capsule-swift-'));
  const server = spawn(findSwift(), [PROGRAM, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  const port = await Promise.race([once(server.stdout, 'data'), ended.then(() => null)]);
  if (!port) throw new Error('Swift ended before it was ready.');
  const endpoint = `http://127.0.0.1:${Number(port)}`;
  const headers = { 'X-Auth-User': 'test:tester', 'X-Auth-Key': 'testing' };
  const signedIn = await fetch(`${endpoint}/auth/v1.0`, { headers });
  const token = signedIn.headers.get('x-auth-token') ?? '';
  await fetch(`${endpoint}/v1/AUTH_test/capsules`, {
    method: 'PUT',
    headers: { 'X-Auth-Token': token },
  });
  return {
    options: {
      endpoint,
      bucket: 'capsules',
      region: 'us-east-1',
      accessKeyId: 'test:tester',
      secretAccessKey: 'testing',
    },
    async close() {
      server.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
