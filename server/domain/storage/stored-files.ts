import { isDatabaseAway } from '../../db/errors.ts';
import { forgetReleased, releasePending } from '../../db/storage/pending-files.ts';
import type { Deps } from '../../deps.ts';

/*
 * A file has a row before its first byte: `insertPending`, the bytes, then one transaction that both
 * names the file and takes that row away. Whatever dies in between leaves a row, and `remove-files`
 * removes what such rows tell of. Deleted rows leave their keys the same way.
 */

/**
 * Removes files after what should have named them failed. If the connection was lost during the
 * commit, that may have succeeded: then they have a name, and stay.
 */
export async function removeUnlessNamed(
  deps: Pick<Deps, 'db' | 'files' | 'log'>,
  keys: string[],
  error: unknown,
): Promise<void> {
  // While the database is away, asking takes as long as the failure did, in vain.
  if (keys.length === 0 || isDatabaseAway(error)) return;
  // What fails here is left to `remove-files`.
  await releasePending(deps.db, keys)
    .then((given) => removeFiles(deps, given))
    .catch(() => undefined);
}

/** Removes files that nothing names any more, and then their rows. A failure is left to the next pass. */
export async function removeFiles(
  { db, files, log }: Pick<Deps, 'db' | 'files' | 'log'>,
  keys: string[],
): Promise<void> {
  const failures = await files.delete(keys);
  const [first] = failures;
  if (first) {
    const [key, err] = first;
    const left = failures.size;
    log.warn({ err, key, left }, 'Some stored files could not be deleted yet.');
  }
  await forgetReleased(
    db,
    keys.filter((key) => !failures.has(key)),
  );
}
