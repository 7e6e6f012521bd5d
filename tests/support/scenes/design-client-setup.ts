import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';
import type { TestProject } from 'vitest/node';
import { projectRoot } from '../../../server/project-root.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the built client that has `/design.html` too. */
    designClient: string;
  }
}

const OUTPUT = `${projectRoot}/test-results/design-client`;

/** On a slow machine a first visit keeps the fallback; a picture must have the faces each time. */
const fontsAlwaysShown: Plugin = {
  name: 'fonts-always-shown',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue;
      const css = file.source.toString();
      file.source = css.replaceAll(/font-display:\s*optional/g, 'font-display:block');
    }
  },
};

/** The client as `npm run build` makes it, and the page of every component beside it. */
export async function setup(project: TestProject): Promise<void> {
  await build({
    root: `${projectRoot}/client`,
    configFile: `${projectRoot}/vite.config.ts`,
    logLevel: 'error',
    plugins: [fontsAlwaysShown],
    build: { outDir: OUTPUT },
  });
  await build({
    root: `${projectRoot}/tests/visual/design`,
    configFile: false,
    logLevel: 'error',
    plugins: [react(), fontsAlwaysShown],
    build: {
      outDir: OUTPUT,
      emptyOutDir: false,
      assetsInlineLimit: 0,
      rolldownOptions: { input: `${projectRoot}/tests/visual/design/design.html` },
    },
  });
  project.provide('designClient', OUTPUT);
}
