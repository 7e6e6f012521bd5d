import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** True when this module is the script that Node was started with, symbolic links followed. */
export function isMain(moduleUrl) {
  const script = process.argv[1];
  return script !== undefined && realpathSync(script) === realpathSync(fileURLToPath(moduleUrl));
}
