import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { seal } from './capsules.ts';
import { signUp } from './client.ts';
import { clip, heic, pdf, photo } from './fixtures.ts';
import type { TestServer } from './server.ts';
import { unzip } from './unzip.ts';

/** What a letter could hold to run in a page that forgets to escape it. */
export const HOSTILE = '</p><script>window.hacked = 1</script><img src=x onerror="hacked = 1">';

const LETTER = `Dear Mia,

when you read this you will be eighteen. ${'I wonder who you have become, and whether the apple tree by the gate still stands. '.repeat(12)}

${'We went to the lake every Sunday that summer, with the old blanket and too many sandwiches. '.repeat(9)}

Love,
Grandma`;

/** The archive of a person with letters, images, a film, documents and what is still sealed. */
export async function exportOfSamples(server: TestServer): Promise<Buffer> {
  const ada = await signUp(server.url, 'Ada');
  const anna = await signUp(server.url, 'Anna');
  const birthday = {
    title: 'For your eighteenth birthday',
    description: 'A letter and some pictures of that summer.',
    personalMessage: LETTER,
    dateToUnlock: '2029-12-24',
  };
  const upright = await photo('Upright.jpg', { width: 480, height: 640 });
  await seal(anna, ada, birthday, [
    await photo('Grandma: "at the lake" 100% #1?.jpg'),
    upright,
    await clip(),
    pdf(),
    await heic(),
  ]);
  const own = { title: 'A letter to myself', dateToUnlock: '2029-12-26', personalMessage: HOSTILE };
  await seal(ada, ada, own);
  const deed = { title: '<b>A deed</b> رسالة', dateToUnlock: '2029-12-28', personalMessage: '' };
  await seal(anna, ada, deed, [pdf('The deed.pdf')]);
  const later = { dateToUnlock: '2047-01-01', personalMessage: 'locked-canary' };
  await seal(ada, anna, { ...later, title: 'For your wedding' }, [pdf('locked-name.pdf')]);
  server.clock.set('2030-01-01T12:00:00Z');
  const { bytes } = await ada.get('/user/export');
  server.clock.set('2029-12-20T12:00:00Z');
  return bytes;
}

/** Unpacks an archive into a new folder. @returns the address of its page */
export async function unpack(bytes: Buffer): Promise<{ url: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'keepsake-'));
  for (const [path, content] of await unzip(bytes)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return {
    url: pathToFileURL(join(folder, 'index.html')).href,
    remove: () => rm(folder, { recursive: true }),
  };
}
