import type { Actor } from '../../auth/sessions.ts';
import { countContributions } from '../../db/drafts/contributions.ts';
import { findDraft } from '../../db/drafts/drafts.ts';
import { findArrived } from '../../db/storage/uploads.ts';
import type { Deps } from '../../deps.ts';
import { readStored } from './outside.ts';

/** A draft with what an archive needs of its files, as far as they have arrived. */
export type ReadDraft =
  ReturnType<typeof readDrafts> extends AsyncGenerator<infer Draft> ? Draft : never;

/** Reads these drafts of a person one by one, but those that are gone meanwhile. */
export async function* readDrafts({ db }: Pick<Deps, 'db'>, { userId }: Actor, ids: string[]) {
  for (const [index, id] of ids.entries()) {
    const draft = await findDraft(db, { userId, id });
    if (!draft || draft.content === null) continue;
    const { createdAt, writtenAt } = draft;
    const content = readStored(draft.content);
    const arrived = new Map((await findArrived(db, userId, [id])).map((one) => [one.id, one]));
    const files = content.files.flatMap((file, position) => {
      const { name, type, bytes, sha256, storageKey } = arrived.get(file.id) ?? {};
      if (!name || !type || !bytes || !sha256 || !storageKey) return [];
      return [{ id: file.id, position, name, type, bytes, sha256, storageKey }];
    });
    // Of others, which only they can read.
    const { added: contributions } = await countContributions(db, { userId, id });
    // Its number is its place among the ids.
    yield { id, number: index + 1, createdAt, writtenAt, content, contributions, files };
  }
}
