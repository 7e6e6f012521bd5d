import { defineConfig } from 'vitest/config';

const POSTGRES = './tests/support/postgres-global-setup.ts';

/** Tests that need a PostgreSQL have `.db.` in their name, or lie in `tests/api`. */
const NEEDS_DATABASE = '**/*.db.test.ts';

export default defineConfig({
  test: {
    // Two cores: more workers would only take turns.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{shared,server,client,scripts,tests/support}/**/*.test.{ts,tsx}'],
          exclude: [NEEDS_DATABASE],
          testTimeout: 10_000,
        },
      },
      {
        test: {
          name: 'api',
          include: ['tests/api/**/*.test.ts', `server/${NEEDS_DATABASE}`],
          globalSetup: [POSTGRES],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          globalSetup: [POSTGRES],
          // One Chromium at a time has the machine to itself.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Pictures to look at, not checks: `npm run screenshots`.
        test: {
          name: 'screenshots',
          include: ['tests/screenshots/**/*.test.ts'],
          globalSetup: [POSTGRES],
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          globalSetup: ['./tests/support/server-global-setup.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
