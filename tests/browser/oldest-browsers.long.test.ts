import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { createCapsule, signInByForm } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const TOO_OLD = 'Please update your browser';

/** What some of the browsers that we name lack, or lack over plain http: the app works without it. */
const NEWER = [
  'AbortSignal.any',
  'URLSearchParams.prototype.size',
  'Promise.withResolvers',
  'Object.groupBy',
  'Array.fromAsync',
  'URL.canParse',
  'Array.prototype.toSorted',
  'Array.prototype.findLastIndex',
  'Set.prototype.union',
  'Iterator.prototype.map',
  'window.structuredClone',
  'window.requestIdleCallback',
  'window.scheduler',
  'Document.prototype.startViewTransition',
  'Crypto.prototype.randomUUID',
  'Navigator.prototype.locks',
  'Navigator.prototype.storage',
  'Navigator.prototype.setAppBadge',
];

describe('in the oldest browsers', () => {
  const { server, open } = sharedWorld();
  let ada: SignedIn;

  beforeAll(async () => {
    ada = await signUp(server.url, 'Ada Lovelace');
  });

  it('one signs in and seals a capsule without any newer function', async () => {
    const { context, page, problems } = await open();
    await context.addInitScript(NEWER.map((name) => `delete ${name};`).join(''));
    await signInByForm(page, { email: ada.user.email, password: PASSWORD });
    await createCapsule(page, {
      ...{ title: 'The lake', description: 'Open it together', message: 'Dear Ada' },
      ...{ recipients: [ada.user.name], files: [] },
    });
    expect(problems).toEqual([]);
  });

  it('an older one reads so, whatever it lacks, and the app leaves it alone', async () => {
    const check = await readFile('public/static/js/browser-check-1.js', 'utf8');
    const functions = [...check.matchAll(/has\((?:[\w.]+ && )?([\w.]+), '(\w+)'\)/g)];
    expect(functions.length).toBeGreaterThan(8);
    const lacks = functions.map(([, owner, name]) => `delete ${owner}.${name};`);
    for (const feature of ['light-dark', ':has']) {
      lacks.push(`const real = CSS.supports.bind(CSS);
        CSS.supports = (...test) => !test.join().includes('${feature}') && real(...test);`);
    }
    for (const lack of lacks) {
      const { context, page } = await open();
      await context.addInitScript(lack);
      await page.goto('/auth');
      await page.getByRole('heading', { name: TOO_OLD }).waitFor();
      expect([lack, await page.getByRole('heading').count()]).toEqual([lack, 1]);
      await context.close();
    }
    const { page } = await open();
    await page.goto('/auth');
    await page
      .getByRole('heading', { name: 'Welcome back' })
      .or(page.getByLabel('Password'))
      .first()
      .waitFor();
    expect(await page.getByText(TOO_OLD).count()).toBe(0);
  });
});
