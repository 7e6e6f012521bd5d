import * as endpoints from '../../../shared/api/sessions.ts';
import type { Deps } from '../../deps.ts';
import { endOtherSessions, endSession, listSessions } from '../../domain/doors/sessions.ts';
import type { App } from '../../http/context.ts';
import { rememberDevice } from '../../http/device-cookie.ts';
import { route } from '../../http/route.ts';

export function sessionRoutes(app: App, deps: Deps): void {
  route(app, endpoints.listSessions, async ({ actor }) => listSessions(deps, actor));

  route(app, endpoints.endSession, async ({ actor, params, body }) => {
    await endSession(deps, actor, { ...params, ...body });
    return { message: 'That session is ended.' };
  });

  route(app, endpoints.endOtherSessions, async ({ c, actor, body }) => {
    await rememberDevice(c, deps, await endOtherSessions(deps, actor, body));
    return { message: "You're signed out everywhere else." };
  });
}
