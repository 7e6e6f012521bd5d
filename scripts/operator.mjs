import { existsSync } from 'node:fs';

/** Loads one of the operator's commands from the built server; ends the process when there is none. */
export async function loadCommand(name) {
  const command = new URL(`../dist/server/${name}.js`, import.meta.url);
  if (!existsSync(command)) {
    console.error('Time Capsule is not built. Run "npm run build" first.');
    process.exit(1);
  }
  return import(command.href);
}

/** Prints what a command has to say, and lets the process end with 0 or 1. */
export function finish(ok, lines) {
  for (const line of lines) (ok ? console.log : console.error)(line);
  process.exitCode = ok ? 0 : 1;
}
