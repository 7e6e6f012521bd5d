import * as endpoints from '../../../shared/api/bin.ts';
import { deleteCapsule as deleteEndpoint } from '../../../shared/api/capsules.ts';
import { ownPasswordSchema } from '../../../shared/api/own-password.ts';
import type { Deps } from '../../deps.ts';
import {
  deleteCapsule,
  deleteForGood,
  listBin,
  restoreByLink,
  restoreCapsule,
} from '../../domain/capsules/bin.ts';
import type { App } from '../../http/context.ts';
import { parse, route } from '../../http/route.ts';

const RESTORED = { message: 'Your capsule is back, just as it was.' };

/** To be registered before the routes of one capsule, of which `bin` would be an id. */
export function binRoutes(app: App, deps: Deps): void {
  route(app, endpoints.listBin, async ({ actor }) => listBin(deps, actor));

  route(app, endpoints.restoreCapsule, async ({ actor, params }) => {
    await restoreCapsule(deps, actor, params.id);
    return RESTORED;
  });

  route(app, endpoints.restoreByLink, async ({ c, body }) => {
    await c.get('limits').take('token', c.get('client'));
    await restoreByLink(deps, body.token);
    return RESTORED;
  });

  route(app, deleteEndpoint, async ({ actor, params, query, body }) => {
    if (query.now === 'true') {
      const { password } = parse(ownPasswordSchema, body ?? {});
      await deleteForGood(deps, actor, { id: params.id, password });
      return { message: 'The capsule has been deleted for good.' };
    }
    await deleteCapsule(deps, actor, params.id);
    return { message: 'The capsule has been deleted.' };
  });
}
