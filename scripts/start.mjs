import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD, ROOT, VITE } from './build/build.mjs';
import { CLIENT_SOURCES, isBuilt, SERVER_SOURCES } from './build/is-built.mjs';

/** The oldest supported Node, as in package.json. */
const NODE_MIN = [20, 19];
const SERVER = 'dist/server/main.js';

function refuse(line) {
  console.error(line);
  process.exit(1);
}

function isOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1]);
}

async function build() {
  console.log('Building Time Capsule, once for each new version; this takes a few seconds …');
  for (const step of BUILD) {
    const child = spawn(process.execPath, step, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
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
if (!isBuilt(SERVER, [...CLIENT_SOURCES, ...SERVER_SOURCES])) {
  if (existsSync(VITE)) await build();
  else if (!existsSync(join(ROOT, SERVER)))
    refuse('Time Capsule is not installed. Run "npm ci" first.');
}
process.setSourceMapsEnabled(true);
// Imported and not spawned, so that signals reach the server directly.
await import(new URL(`../${SERVER}`, import.meta.url).href);
