import * as endpoints from '../../../shared/api/blocks.ts';
import type { Deps } from '../../deps.ts';
import { blockPerson, listBlocked, unblockPerson } from '../../domain/doors/blocks.ts';
import type { App } from '../../http/context.ts';
import { route } from '../../http/route.ts';

export function blockRoutes(app: App, deps: Deps): void {
  route(app, endpoints.listBlocked, async ({ actor }) => listBlocked(deps, actor));

  route(app, endpoints.block, async ({ actor, params, body }) => {
    await blockPerson(deps, actor, { blockedId: params.userId, putAway: body?.putAway ?? false });
    return { blocked: true };
  });

  route(app, endpoints.unblock, async ({ actor, params }) => {
    await unblockPerson(deps, actor, params.userId);
    return { blocked: false };
  });
}
