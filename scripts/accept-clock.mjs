import { existsSync } from 'node:fs';

const command = new URL('../dist/server/accept-clock.js', import.meta.url);
if (!existsSync(command)) {
  console.error('Time Capsule is not built. Run "npm run build" first.');
  process.exit(1);
}
const { acceptClock } = await import(command.href);
const { ok, line } = await acceptClock(process.env);
if (ok) console.log(line);
else console.error(line);
process.exitCode = ok ? 0 : 1;
