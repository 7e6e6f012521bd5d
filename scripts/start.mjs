import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The oldest supported Node, as in package.json. */
const NODE_MIN = [20, 19];
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SERVER = join(ROOT, 'dist/server/main.js');
const CLIENT = join(ROOT, 'dist/client/index.html');
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');
/** What `dist` is made from. */
const SOURCES = [
  'client',
  'server',
  'shared',
  'public',
  'package-lock.json',
  'vite.config.ts',
  'vite.server.config.ts',
];

function refuse(line) {
  console.error(line);
  process.exit(1);
}

function isOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1]);
}

/** The server is built last: its file is as old as the whole build. */
function isBuilt() {
  if (!existsSync(CLIENT) || !existsSync(SERVER)) return false;
  const built = statSync(SERVER).mtimeMs;
  return SOURCES.every((path) => newest(join(ROOT, path)) <= built);
}

function newest(path) {
  const own = statSync(path, { throwIfNoEntry: false });
  if (!own?.isDirectory()) return own?.mtimeMs ?? 0;
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    // A folder's own time tells of removed files; tests are no part of the build.
    .filter((entry) => !entry.name.includes('.test.'))
    .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs);
  return Math.max(own.mtimeMs, ...files);
}

async function build() {
  console.log('Building Time Capsule, once for each new version; this takes a few seconds …');
  for (const config of ['vite.config.ts', 'vite.server.config.ts']) {
    const child = spawn(process.execPath, [VITE, 'build', '--config', config], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stop = () => {
      child.kill();
      process.exit(1);
    };
    process.once('SIGTERM', stop);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const [code] = await once(child, 'close');
    process.off('SIGTERM', stop);
    if (code !== 0) refuse(`${output}\nTime Capsule could not be built.`);
  }
}

if (isOldNode()) {
  refuse(
    `Time Capsule needs Node ${NODE_MIN.join('.')} or newer; this is ${process.versions.node}.`,
  );
}
if (!isBuilt()) {
  if (existsSync(VITE)) await build();
  else if (!existsSync(SERVER)) refuse('Time Capsule is not installed. Run "npm ci" first.');
}
process.setSourceMapsEnabled(true);
// Imported and not spawned, so that signals reach the server directly.
await import('../dist/server/main.js');
