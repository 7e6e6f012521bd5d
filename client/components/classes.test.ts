import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

it('every class that a component names is in its style sheet', () => {
  const missing: string[] = [];
  let named = 0;
  for (const name of readdirSync('client', { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.tsx')) continue;
    const path = join('client', name);
    const source = readFileSync(path, 'utf8');
    const code = source.replace(/^import .*;$/gm, '');
    for (const [, styles, sheet = ''] of source.matchAll(
      /import (\w+) from '(\..+?\.module\.css)'/g,
    )) {
      const css = readFileSync(join(dirname(path), sheet), 'utf8');
      const classes = new Set([...css.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name));
      for (const [, name] of code.matchAll(new RegExp(`\\b${styles}\\.(\\w+)`, 'g'))) {
        named += 1;
        if (!classes.has(name)) missing.push(`${path}: ${name}`);
      }
    }
  }
  expect(named).toBeGreaterThan(300);
  expect(missing).toEqual([]);
});
