import { CAPSULES_PER_PAGE_MAX } from '../../../shared/limits.ts';
import type { Actor } from '../../auth/sessions.ts';
import { findCapsules } from '../../db/capsules/capsule-pages.ts';
import type { FileRow } from '../../db/capsules/capsules.ts';
import type { Deps } from '../../deps.ts';
import { type CapsuleView, viewWithFiles } from '../capsules/capsule-view.ts';

/** As its recipient sees it, with what an archive needs of its files. Letters of others are read apart. */
export interface ReadCapsule {
  capsule: CapsuleView['capsule'];
  files: Pick<
    FileRow,
    'id' | 'position' | 'name' | 'type' | 'bytes' | 'sha256' | 'storageKey' | 'contributionId'
  >[];
}

/**
 * Those of these capsules that exist, in this order, fifty at a time. An archive names each in several
 * places and reads it in each: people can be sent more than fits into memory.
 */
export async function* readCapsules(
  deps: Pick<Deps, 'db' | 'clock'> & { actor: Actor },
  ids: string[],
): AsyncGenerator<ReadCapsule> {
  for (let at = 0; at < ids.length; at += CAPSULES_PER_PAGE_MAX) {
    const page = ids.slice(at, at + CAPSULES_PER_PAGE_MAX);
    const rows = await findCapsules(deps.db, page);
    const views = await viewWithFiles(deps, deps.actor, rows, () => 'received');
    const byId = new Map(views.map((view) => [view.capsule.id, view]));
    yield* page.flatMap((id) => byId.get(id) ?? []);
  }
}
