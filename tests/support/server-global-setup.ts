import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import { isBuilt, SERVER_SOURCES } from '../../scripts/build/is-built.mjs';
import { projectRoot } from '../../server/project-root.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The built server, to be run by node. */
    serverEntry: string;
  }
}

const OUTPUT = 'test-results/server';

/** Builds the server as `npm run build` does, but aside: the tests need no built client. */
export async function setup(project: TestProject): Promise<void> {
  const entry = `${OUTPUT}/main.js`;
  if (!isBuilt(entry, SERVER_SOURCES)) {
    await build({
      root: projectRoot,
      configFile: 'vite.server.config.ts',
      logLevel: 'warn',
      build: { outDir: OUTPUT },
    });
  }
  project.provide('serverEntry', `${projectRoot}/${entry}`);
}
