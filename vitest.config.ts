import { defineConfig } from 'vitest/config';

const POSTGRES = './tests/support/postgres-global-setup.ts';
const SERVER = './tests/support/server-global-setup.ts';
/** Builds the client with the page of all components. */
const DESIGN_CLIENT = './tests/support/scenes/design-client-setup.ts';

/** Tests that need a PostgreSQL have `.db.` in their name, or lie in `tests/api` or `tests/devices`. */
const NEEDS_DATABASE = '**/*.db.test.ts';

/**
 * Files with `.long.` in their name, like tests that begin with `rare`, are of rarer states: `npm test`
 * leaves them out to end sooner, `npm run test:all` sets TEST_ALL and runs them too. See docs/testing.md.
 */
const LEFT_OUT = process.env.TEST_ALL ? [] : ['**/*.long.{test,db.test}.ts'];

/** Unit tests of what remembers things: each file has modules, globals and databases of its own. */
const REMEMBERS = 'client/{api,db,hooks,sw,sync}/**/*.test.{ts,tsx}';

/**
 * A worker reads the server and the browser's driver once, not for every file: that was over two
 * fifths of the processor time of the API and of the unit tests. Each file has a server and a
 * database of its own all the same.
 */
const SHARED = { isolate: false };

/** What a test has put in place of a real function, variable or object is taken back before the next one. */
const FORGETS = { restoreMocks: true, unstubEnvs: true, unstubGlobals: true };

/** The style of the page in an export is a text to the server. Vitest empties other style sheets. */
const KEPT_STYLE = { css: { include: [/keepsake\.css\?raw$/] } };

/** Longer than anything takes on a slow machine, as for a browser's own waits. */
const PATIENT = { poll: { timeout: 15_000 } };

export default defineConfig({
  test: {
    // For two cores. With a third one the API tests took a fifth more processor time, and no less time.
    maxWorkers: 2,
    // Transformed sources are kept between runs: a fifth of the processor time of an API test file.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest-modules' },
    projects: [
      {
        test: {
          name: 'unit',
          ...SHARED,
          ...FORGETS,
          setupFiles: ['tests/support/british-reader.ts'],
          include: [
            '{shared,server,client,scripts,tests/support}/**/*.test.{ts,tsx}',
            'tests/visual/compare.test.ts',
          ],
          exclude: [NEEDS_DATABASE, REMEMBERS, ...LEFT_OUT],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'device',
          ...SHARED,
          ...FORGETS,
          setupFiles: ['tests/support/british-reader.ts', 'tests/support/fresh-device.ts'],
          include: [REMEMBERS],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'api',
          ...SHARED,
          expect: PATIENT,
          include: ['tests/{api,devices}/**/*.test.ts', `server/${NEEDS_DATABASE}`],
          exclude: LEFT_OUT,
          globalSetup: [POSTGRES],
          // The longest takes five seconds on two quiet cores.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          ...SHARED,
          expect: PATIENT,
          include: ['tests/browser/**/*.test.ts'],
          exclude: LEFT_OUT,
          globalSetup: [POSTGRES],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'visual',
          ...SHARED,
          include: ['tests/visual/**/*.test.ts'],
          exclude: ['tests/visual/compare.test.ts'],
          globalSetup: [POSTGRES, DESIGN_CLIENT],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        // Pictures to look at, not checks: `npm run screenshots`.
        test: {
          name: 'screenshots',
          include: ['tests/screenshots/**/*.test.ts'],
          globalSetup: [POSTGRES, DESIGN_CLIENT],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        // The long proofs of the queue: `npm run proofs`, which gives every pass a seed.
        test: {
          name: 'proofs',
          expect: PATIENT,
          include: ['tests/offline/**/*.test.ts'],
          globalSetup: [POSTGRES, SERVER],
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Firefox and WebKitGTK: `npm run engines`, and in `npm run test:all`.
        test: {
          name: 'engines',
          ...SHARED,
          expect: PATIENT,
          include: ['tests/engines/**/*.test.ts'],
          globalSetup: [POSTGRES],
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
      {
        // An instance over twenty years: `npm run years`.
        test: {
          name: 'years',
          include: ['tests/years/**/*.test.ts'],
          globalSetup: [POSTGRES],
          hookTimeout: 60_000,
        },
      },
      {
        // Behind PgBouncer.
        test: {
          name: 'pooler',
          ...SHARED,
          expect: PATIENT,
          include: ['tests/pooler/**/*.test.ts'],
          globalSetup: [POSTGRES],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Files in a bucket of OpenStack Swift, which checks signatures: `npm run swift`.
        test: {
          name: 'swift',
          ...SHARED,
          include: ['tests/swift/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        // Postfix and Dovecot, which return what can't be delivered: `npm run bounces`.
        test: {
          name: 'bounces',
          ...SHARED,
          include: ['tests/bounces/**/*.test.ts'],
          globalSetup: [POSTGRES],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'faults',
          ...SHARED,
          expect: PATIENT,
          include: ['tests/faults/**/*.test.ts'],
          exclude: LEFT_OUT,
          globalSetup: [SERVER],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ].map(({ test }) => ({ test: { ...KEPT_STYLE, ...test } })),
  },
});
