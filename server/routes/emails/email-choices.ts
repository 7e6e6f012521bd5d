import * as endpoints from '../../../shared/api/email-choices.ts';
import type { Deps } from '../../deps.ts';
import {
  getEmailChoices,
  setEmailChoices,
  turnEmailOff,
} from '../../domain/emails/email-choices.ts';
import type { App } from '../../http/context.ts';
import { route } from '../../http/route.ts';

export function emailChoiceRoutes(app: App, deps: Deps): void {
  route(app, endpoints.getNoticeChoices, async ({ actor }) => getEmailChoices(deps, actor));

  route(app, endpoints.setNoticeChoices, async ({ actor, body }) =>
    setEmailChoices(deps, actor, body),
  );

  route(app, endpoints.turnNoticeOffHere, async ({ c, body }) => {
    await c.get('limits').take('token', c.get('client'));
    return { kind: await turnEmailOff(deps, body.token) };
  });
}

/** Called by mail programs, which have no cookie and no XSRF token. The token in the link is enough. */
export function turnOffRoute(app: App, deps: Deps): void {
  const { method, path, status } = endpoints.turnNoticeOff;
  app.on(method, path, async (c) => {
    await c.get('limits').take('token', c.get('client'));
    const kind = await turnEmailOff(deps, c.req.query('token') ?? '');
    return c.json({ kind }, status);
  });
}
