import { existsSync } from 'node:fs';

/**
 * Loads an operator's command from the built server. Ends the process if the server is not built.
 */
export async function loadCommand(name) {
  const command = new URL(`../dist/server/${name}.js`, import.meta.url);
  if (!existsSync(command)) {
    console.error('Time Capsule is not built. Run "npm run build" first.');
    process.exit(1);
  }
  return import(command.href);
}

/** Prints the lines of a command and sets the exit code to 0 or 1. */
export function finish(ok, lines) {
  for (const line of lines) (ok ? console.log : console.error)(line);
  process.exitCode = ok ? 0 : 1;
}
