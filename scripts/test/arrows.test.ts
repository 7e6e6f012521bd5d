import { describe, expect, it } from 'vitest';
import { forbiddenArrows } from './arrows.mjs';

/** The forbidden imports of a project with these files. */
function check(files: Record<string, string>): string[] {
  return forbiddenArrows(new Map(Object.entries(files)));
}

describe('arrows', () => {
  it.each([
    ['client and server meet', 'client/api/a.ts', "import '../../server/ids.ts';"],
    ['an arrow points up', 'server/domain/push/a.ts', "import { b } from '../../routes/b.ts';"],
    ['also as a type', 'server/domain/push/a.ts', "import type { B } from '../../routes/b.ts';"],
    ['also as a re-export', 'client/components/a.tsx', "export { b } from '../hooks/b.ts';"],
    ['also at run time', 'client/components/a.tsx', "const b = () => import('../hooks/b.ts');"],
    ['an implementation of a port', 'server/routes/a.ts', "import { d } from '../files/disk.ts';"],
    ['a route past the domain', 'server/routes/a.ts', "import { b } from '../db/b.ts';"],
    [
      'a room by its window',
      'server/operator/backup.ts',
      "import { b } from '../embedded-postgres/binaries.ts';",
    ],
    [
      'a feature another one above it',
      'server/domain/emails/a.ts',
      "import { b } from '../capsules/b.ts';",
    ],
    ['shared imports more than zod', 'shared/a.ts', "import { Hono } from 'hono';"],
    ['React where the worker runs', 'client/sync/a.ts', "import { useState } from 'react';"],
    ['a second file knows lucia', 'server/auth/a.ts', "import { Lucia } from 'lucia';"],
    ['the environment', 'server/http/a.ts', 'export const port = process.env.PORT;'],
    ['the environment, spelled otherwise', 'server/http/a.ts', "const { env } = process['env'];"],
    ['a file in no room', 'server/helpers/a.ts', 'export const a = 1;'],
    ['tests reached from the product', 'server/app.ts', "import '../tests/support/server.ts';"],
  ])('refuses: %s', (_, path, source) => {
    expect(check({ [path]: source })).toHaveLength(1);
  });

  it('refuses a ring of imports and names it', () => {
    expect(
      check({
        'shared/a.ts': "import './b.ts';",
        'shared/b.ts': "import './c.ts';",
        'shared/c.ts': "import './a.ts';",
      }),
    ).toEqual(['import cycle: shared/a.ts → shared/b.ts → shared/c.ts → shared/a.ts']);
  });

  it('refuses a ring of types', () => {
    expect(
      check({
        'server/auth/a.ts': "import type { B } from './b.ts';",
        'server/auth/b.ts': "import { a } from './a.ts';",
      }),
    ).toEqual(['import cycle: server/auth/a.ts → server/auth/b.ts → server/auth/a.ts']);
  });

  it.each([
    ['down the house', 'server/routes/a.ts', "import { b } from '../domain/push/b.ts';"],
    ['Deps as a type, from anywhere', 'server/db/a.ts', "import type { Deps } from '../deps.ts';"],
    ['the composition root builds ports', 'server/main.ts', "import { d } from './files/disk.ts';"],
    ['a style sheet', 'client/components/a.tsx', "import styles from './a.module.css';"],
    [
      'a test beside it',
      'server/domain/push/a.test.ts',
      "import { d } from '../../files/disk.ts';",
    ],
    ['the environment in a comment', 'server/http/a.ts', '// process.env is not read here'],
  ])('allows: %s', (_, path, source) => {
    expect(check({ [path]: source })).toEqual([]);
  });
});
