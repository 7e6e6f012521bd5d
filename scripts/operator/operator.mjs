import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * Loads an operator's command from the built server. Ends the process if the server is not built.
 */
export async function loadCommand(name) {
  const command = new URL(`../../dist/server/${name}.js`, import.meta.url);
  if (!existsSync(command)) {
    console.error('Time Capsule is not built. Run "npm run build" first.');
    process.exit(1);
  }
  return import(command.href);
}

/**
 * The options a command was given. `--help`, and what the command does not know, only print how it
 * is used: a mistyped word must not do what it was not meant to.
 * @template {import('node:util').ParseArgsConfig['options']} Known
 * @param {string} usage
 * @param {Known} known
 * @returns {ReturnType<typeof parseArgs<{ options: Known }>>['values']}
 */
export function options(usage, known) {
  try {
    const { values } = parseArgs({ options: { ...known, help: { type: 'boolean' } } });
    if (!('help' in values)) return values;
    console.log(usage);
    process.exit(0);
  } catch (error) {
    console.error(`${error.message}\n${usage}`);
    process.exit(1);
  }
}

/**
 * Prints the lines of a command and sets the exit code to 0 or 1. Standard output has results only,
 * because programs read it.
 */
export function finish(ok, lines, isRefusal = !ok) {
  for (const line of lines) (isRefusal ? console.error : console.log)(line);
  process.exitCode = ok ? 0 : 1;
}
