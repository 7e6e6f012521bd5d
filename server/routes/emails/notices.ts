import { stillYours } from '../../../shared/api/addresses.ts';
import * as endpoints from '../../../shared/api/notices.ts';
import type { Deps } from '../../deps.ts';
import { answerStillYours } from '../../domain/accounts/address-check.ts';
import {
  getNoticeChoices,
  setNoticeChoices,
  turnNoticeOff,
} from '../../domain/emails/notice-choices.ts';
import type { App } from '../../http/context.ts';
import { route } from '../../http/route.ts';

export function noticeRoutes(app: App, deps: Deps): void {
  route(app, endpoints.getNoticeChoices, async ({ actor }) => getNoticeChoices(deps, actor));

  route(app, endpoints.setNoticeChoices, async ({ actor, body }) =>
    setNoticeChoices(deps, actor, body),
  );

  route(app, endpoints.turnNoticeOffHere, async ({ c, body }) => {
    await c.get('limits').count('token', c.get('client'));
    return { kind: await turnNoticeOff(deps, body.token) };
  });

  route(app, stillYours, async ({ c, body }) => {
    await c.get('limits').count('token', c.get('client'));
    const email = await answerStillYours(deps, body.token);
    return { message: `Thank you. We'll keep writing to ${email}.`, email };
  });
}

/** Called by mail programs, which have no cookie and no XSRF token. The token in the link is enough. */
export function turnOffRoute(app: App, deps: Deps): void {
  const { method, path, status } = endpoints.turnNoticeOff;
  app.on(method, path, async (c) => {
    await c.get('limits').count('token', c.get('client'));
    const kind = await turnNoticeOff(deps, c.req.query('token') ?? '');
    return c.json({ kind }, status);
  });
}
