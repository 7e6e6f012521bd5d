import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findBinaries, POSTGRES_MAJOR } from './binaries.ts';

test('the programs we ship are of the major version that we say', async () => {
  const binaries = await findBinaries();
  for (const program of Object.values(binaries)) {
    const { stdout } = await promisify(execFile)(program, ['--version']);
    expect(stdout).toMatch(new RegExp(` \\(PostgreSQL\\) ${POSTGRES_MAJOR}\\.`));
  }
});
