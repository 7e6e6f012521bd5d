import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStaticFiles, type StaticFiles } from '../../server/http/static.ts';

const BUILT = 'dist/client';
const TEXTS = /\.(html|js|css|json|webmanifest)$/;

/** The built client, and a newer build of it that can take its place while the server runs. */
export interface TwoBuilds {
  staticFiles: StaticFiles;
  /** From now on the server has the newer one: no script of the older is there any more. */
  publish(): void;
  /** It has the older one again, which is one more version to a browser that knows the newer. */
  withdraw(): void;
  remove(): Promise<void>;
}

/** What the page of the newer build says of itself; nothing does so in the older. */
export const NEWER = 'meta[name="build"][content="newer"]';

/** Every script gets another name, as if all of them had changed. */
export async function makeTwoBuilds(): Promise<TwoBuilds> {
  const folder = await mkdtemp(join(tmpdir(), 'time-capsule-newer-'));
  // What the build compressed would still be the older one.
  const isSource = (path: string) => !/\.(br|gz)$/.test(path);
  await cp(BUILT, folder, { recursive: true, filter: isSource });
  const scripts = await readdir(join(folder, 'static/js'));
  await rm(join(folder, 'static/js'), { recursive: true });
  await cp(join(BUILT, 'static/js'), join(folder, 'static/js'), {
    recursive: true,
    filter: (path) => isSource(path) && !path.endsWith('.js'),
  });
  const rename = (text: string) =>
    scripts.reduce((all, name) => all.replaceAll(name, newName(name)), text);
  for (const name of scripts) {
    const text = await readFile(join(BUILT, 'static/js', name), 'utf8');
    await writeFile(join(folder, 'static/js', newName(name)), rename(text));
  }
  for (const name of await readdir(folder)) {
    if (!TEXTS.test(name)) continue;
    const text = rename(await readFile(join(folder, name), 'utf8'));
    await writeFile(join(folder, name), mark(name, text));
  }
  const older = createStaticFiles(BUILT);
  let current = older;
  const newer = createStaticFiles(folder);
  return {
    staticFiles: {
      serve: (c, path) => current.serve(c, path),
      page: (c, status) => current.page(c, status),
      screen: (c, mayBeMember) => current.screen(c, mayBeMember),
    },
    publish() {
      current = newer;
    },
    withdraw() {
      current = older;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function newName(name: string): string {
  return name.replace(/\.js$/, '-newer.js');
}

/** The page says that it is newer, and the worker knows it by another revision. */
function mark(name: string, text: string): string {
  if (name === 'index.html') {
    return text.replace('<head>', '<head><meta name="build" content="newer" />');
  }
  if (name !== 'sw.js') return text;
  const revised = text.replace(
    /(revision:"|"revision":")[0-9a-f]{32}("[^}]*index\.html)/,
    '$1newer$2',
  );
  const alike = text.replace(/(index\.html"[^}]*revision"?:")[0-9a-f]{32}/, '$1newer');
  const changed = revised === text ? alike : revised;
  if (changed === text) throw new Error('The worker names no revision of the page.');
  return changed;
}
