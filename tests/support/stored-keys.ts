import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Keys of all files of people in a data directory, in order, whether or not a row names them. */
export async function storedKeys({ dataDir }: { dataDir: string }): Promise<string[]> {
  const names = await readdir(join(dataDir, 'files'), { recursive: true }).catch(() => []);
  return names
    .map((name) => name.replace(/^.*\//, '').replace('.', '/'))
    .filter((key) => /^(avatars|capsules)\//.test(key))
    .sort();
}
