import * as endpoints from '../../../shared/api/recovery-codes.ts';
import type { Deps } from '../../deps.ts';
import {
  enterRecoveryCode,
  getRecoveryCodes,
  makeRecoveryCodes,
} from '../../domain/doors/recovery-codes.ts';
import type { App } from '../../http/context.ts';
import { rememberDevice } from '../../http/device-cookie.ts';
import { route } from '../../http/route.ts';
import { who } from '../../http/who.ts';

export function recoveryCodeRoutes(app: App, deps: Deps): void {
  route(app, endpoints.getRecoveryCodes, async ({ actor }) => getRecoveryCodes(deps, actor));

  route(app, endpoints.makeRecoveryCodes, async ({ actor, body }) =>
    makeRecoveryCodes(deps, actor, body),
  );

  route(app, endpoints.enterRecoveryCode, async ({ c, body }) => {
    await c.get('limits').take('token', c.get('client'));
    const owner = await enterRecoveryCode(deps, body);
    await rememberDevice(c, deps, owner);
    deps.log.info({ userId: owner.id, ...(await who(c, deps.db)) }, 'A recovery code was used.');
    return { message: 'Your new password works now.' };
  });
}
