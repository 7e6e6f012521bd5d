import * as endpoints from '../../../shared/api/push.ts';
import type { Deps } from '../../deps.ts';
import { findPushKeys, removeSubscription, saveSubscription } from '../../domain/push/push.ts';
import type { App } from '../../http/context.ts';
import { route } from '../../http/route.ts';

export function pushRoutes(app: App, deps: Deps): void {
  route(app, endpoints.getPushKey, async () => {
    const { publicKey } = await findPushKeys(deps);
    return { publicKey };
  });

  route(app, endpoints.saveSubscription, async ({ actor, body }) => {
    await saveSubscription(deps, actor, body);
    return { active: true };
  });

  route(app, endpoints.removeSubscription, async ({ actor, body }) => {
    await removeSubscription(deps, actor, body);
    return { active: false };
  });
}
