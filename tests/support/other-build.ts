import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { projectRoot } from '../../server/project-root.ts';

const BUILT = join(projectRoot, 'dist', 'client');
const WITH_NAMES = /\.(html|js|css|json|webmanifest)$/;

export interface OtherBuild {
  directory: string;
  remove(): Promise<void>;
}

/**
 * The built client once more, as the next release would be: every hashed name is another one, so
 * that nothing of the old release is on the server, the page says `marker`, and the worker's list
 * of files is its own.
 */
export async function makeOtherBuild(marker: string): Promise<OtherBuild> {
  const directory = await mkdtemp(join(tmpdir(), 'time-capsule-build-'));
  // What the build compressed would still be the old release.
  await cp(BUILT, directory, { recursive: true, filter: (path) => !/\.(br|gz)$/.test(path) });
  const paths = await filesIn(directory);
  const renamed = new Map<string, string>();
  for (const path of paths) {
    const name = basename(path);
    const found = /^(.+)-([\w-]{8})(\.\w+)$/.exec(name);
    if (found && path.includes('/static/')) {
      renamed.set(name, `${found[1]}-${digest(marker + name)}${found[3]}`);
    }
  }
  for (const path of paths.filter((one) => WITH_NAMES.test(one))) {
    let text = await readFile(path, 'utf8');
    for (const [from, to] of renamed) text = text.replaceAll(from, to);
    if (path.endsWith('/index.html'))
      text = text.replace('<html ', `<html data-build="${marker}" `);
    if (path.endsWith('/sw.js')) text = withRevision(text, marker);
    await writeFile(path, text);
  }
  for (const path of paths) {
    const to = renamed.get(basename(path));
    if (to) await rename(path, join(path, '..', to));
  }
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}

/** The worker keeps its page by the revision that stands beside its name. */
function withRevision(worker: string, marker: string): string {
  const changed = worker.replace(
    /\{("?)revision\1:(["'`])[0-9a-f]{32}\2,("?)url\3:(["'`])index\.html\4\}/,
    `{"revision":"${createHash('md5').update(marker).digest('hex')}","url":"index.html"}`,
  );
  if (changed === worker) throw new Error('The worker does not list its page as it used to.');
  return changed;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
