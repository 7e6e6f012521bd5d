import { existsSync } from 'node:fs';
import { findOrInstall } from './find-program.mjs';

const PYTHON = '/usr/bin/python3';
const SWIFT = '/usr/lib/python3/dist-packages/swift/proxy/server.py';

/**
 * The path of a Python that has OpenStack Swift, whose S3 interface checks signatures.
 * @throws Error with one line that says what to do.
 */
export function findSwift() {
  return findOrInstall(
    () => (existsSync(PYTHON) && existsSync(SWIFT) ? PYTHON : null),
    ['python3-swift'],
    'No OpenStack Swift was found. Install it (Debian: apt-get install python3-swift).',
  );
}
