import type {
  Capsule,
  CapsulePage,
  CapsuleType,
  CapsuleView as ListView,
} from '../../../shared/api/capsules.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { countBin } from '../../db/capsules/bin.ts';
import { findCapsulePage } from '../../db/capsules/capsule-pages.ts';
import { countHidden, findVisibleCapsule, setHidden } from '../../db/capsules/capsules.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';
import { type CapsuleView, viewCapsules, viewWithFiles, withAdded } from './capsule-view.ts';

type ViewDeps = Pick<Deps, 'db' | 'clock'>;

interface ListInput {
  type: CapsuleType;
  page: number;
  limit: number;
  query?: string | undefined;
  view?: ListView;
  hidden?: boolean;
}

/** One page of the capsules a person created or received. */
export async function listCapsules(
  deps: ViewDeps,
  actor: Actor,
  input: ListInput,
): Promise<CapsulePage> {
  const list = {
    type: input.type,
    view: input.view ?? 'newest',
    hidden: input.hidden ?? false,
    now: deps.clock.now(),
    text: input.query,
  };
  const { rows, total } = await findCapsulePage(deps.db, actor.userId, list, {
    offset: (input.page - 1) * input.limit,
    limit: input.limit,
  });
  return {
    capsules: await viewCapsules(deps, actor, rows, () => input.type),
    pagination: {
      currentPage: input.page,
      totalPages: Math.ceil(total / input.limit),
      itemsPerPage: input.limit,
      totalItems: total,
    },
    ...(input.type === 'received'
      ? { hiddenItems: await countHidden(deps.db, actor.userId) }
      : { binnedItems: await countBin(deps.db, actor.userId, deps.clock.now()) }),
  };
}

/** With all its files. @throws CAPSULE_NOT_FOUND, also for a capsule of other people */
export async function findCapsule(deps: ViewDeps, actor: Actor, id: string): Promise<CapsuleView> {
  const row = isUuid(id) ? await findVisibleCapsule(deps.db, actor.userId, id) : undefined;
  if (!row) throw new AppError('CAPSULE_NOT_FOUND');
  const [view] = await viewWithFiles(deps, actor, [row], ({ creatorId }) =>
    creatorId === actor.userId ? 'created' : 'received',
  );
  if (!view) throw new AppError('CAPSULE_NOT_FOUND');
  return { ...view, capsule: await withAdded(deps, actor, view.capsule) };
}

/** Without the letters of others. @throws CAPSULE_NOT_FOUND, also for a capsule of other people */
export async function getCapsule(deps: ViewDeps, actor: Actor, id: string): Promise<Capsule> {
  return (await findCapsule(deps, actor, id)).capsule;
}

/** Puts a received capsule away or brings it back. @throws CAPSULE_NOT_FOUND when it was not received */
export async function hideCapsule(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId }: Actor,
  { id, hidden }: { id: string; hidden: boolean },
): Promise<void> {
  const now = clock.now();
  const isReceived = isUuid(id) && (await setHidden(db, { userId, id, hidden, now }));
  if (!isReceived) throw new AppError('CAPSULE_NOT_FOUND');
}
