import { CAPSULES_PER_PAGE_MAX, MEGABYTE } from '../../../shared/limits.ts';
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

export interface CapsuleReader {
  /** Those of these that exist, in this order. */
  each(ids: string[]): AsyncGenerator<ReadCapsule>;
  /** Once the archive is made, or will never be: nothing is kept any more. */
  close(): void;
}

/**
 * For the texts of all archives that are being made, which is room for several thousand letters.
 * People can be sent more than fits into memory, and those with slow lines keep theirs for long.
 */
export const ROOM = { bytes: 16 * MEGABYTE };

/**
 * An archive names each capsule in several places. It is read once, fifty together, and kept as text
 * while there is room. Those beyond are read again in each place.
 */
export function createCapsuleReader(
  deps: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  room = ROOM,
): CapsuleReader {
  const kept = new Map<string, Buffer>();
  let isClosed = false;

  const read = async (ids: string[]) => {
    const rows = ids.length > 0 ? await findCapsules(deps.db, ids) : [];
    const views = await viewWithFiles(deps, actor, rows, () => 'received');
    return new Map(views.map((view) => [view.capsule.id, view]));
  };
  const keep = (id: string, view: CapsuleView): void => {
    const text = Buffer.from(JSON.stringify(view));
    if (isClosed || text.length > room.bytes) return;
    room.bytes -= text.length;
    kept.set(id, text);
  };

  return {
    async *each(ids) {
      for (let at = 0; at < ids.length; at += CAPSULES_PER_PAGE_MAX) {
        const page = ids.slice(at, at + CAPSULES_PER_PAGE_MAX);
        const views = await read(page.filter((id) => !kept.has(id)));
        for (const id of page) {
          const text = kept.get(id);
          const view = views.get(id);
          if (view) keep(id, view);
          if (text) yield JSON.parse(String(text));
          else if (view) yield view;
        }
      }
    },
    close() {
      isClosed = true;
      for (const { length } of kept.values()) room.bytes += length;
      kept.clear();
    },
  };
}
