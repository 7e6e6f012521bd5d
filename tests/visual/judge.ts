import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Comparison, compare, marked } from './compare.ts';
import { halved, type Picture, packed, readPicture } from './picture.ts';

/** What was accepted, at half scale. */
const ACCEPTED = fileURLToPath(new URL('accepted/', import.meta.url));
const RESULTS = 'test-results/visual';

/** `npm run visual:accept` sets it: what is seen now is what shall be seen. */
const isAccepting = process.env.VISUAL_ACCEPT === '1';

/** So long something may still be on its way: what a slow machine has not drawn yet is no finding. */
const PATIENCE_MS = 4_000;
const AGAIN_MS = 250;

/**
 * Compares what is seen with what was accepted under this name, again and again for a while.
 * @returns what differs and what to do about it; null when nothing does
 */
export async function judge(name: string, take: () => Promise<Buffer>): Promise<string | null> {
  const path = `${ACCEPTED}${name}.webp`;
  const expected = existsSync(path) ? await readPicture(path) : null;
  const lookAgainUntil = performance.now() + PATIENCE_MS;
  let screenshot: Buffer;
  let actual: Picture;
  let verdict: Comparison;
  for (;;) {
    screenshot = await take();
    actual = await halved(screenshot);
    verdict = expected ? compare(expected, actual) : NEW;
    if (verdict.same || performance.now() > lookAgainUntil) break;
    await setTimeout(AGAIN_MS);
  }
  if (isAccepting) {
    // One that a person would take for the same stays: the repository need not keep its noise.
    if (!verdict.same) await writeFile(path, await packed(actual));
    return null;
  }
  await rm(`${RESULTS}/${name}`, { recursive: true, force: true });
  if (verdict.same) return null;
  const folder = `${RESULTS}/${name}`;
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/actual.png`, screenshot);
  if (expected) await writeFile(`${folder}/expected.webp`, await packed(expected));
  await writeFile(`${folder}/difference.webp`, await packed(marked(actual, verdict)));
  return (
    `${name}: ${verdict.summary}. Look at ${folder}/ (actual, expected, difference). ` +
    'If it should look so now, run `npm run visual:accept`, look at the changed pictures in ' +
    'tests/visual/accepted/ and commit them.'
  );
}

const NEW: Comparison = { same: false, summary: 'nothing was accepted yet', blocks: [] };
