import * as choice from '../../../shared/api/passkey-choice.ts';
import * as endpoints from '../../../shared/api/passkeys.ts';
import { undoPasskey as undoEndpoint } from '../../../shared/api/undo-passkey.ts';
import type { Deps } from '../../deps.ts';
import { choosePasskey, getPasskeyChoice } from '../../domain/accounts/passkey-choice.ts';
import { deviceWords } from '../../domain/doors/device-words.ts';
import { passkeyOptions, signInByPasskey } from '../../domain/doors/passkey-sign-in.ts';
import {
  addPasskey,
  listPasskeys,
  newPasskeyOptions,
  removePasskey,
} from '../../domain/doors/passkeys.ts';
import { undoKey } from '../../domain/doors/undo-key.ts';
import type { App } from '../../http/context.ts';
import { knownDevice } from '../../http/device-cookie.ts';
import { route } from '../../http/route.ts';
import { who } from '../../http/who.ts';
import { askerOf } from './asker.ts';
import { welcome } from './welcome.ts';

export function passkeyRoutes(app: App, deps: Deps): void {
  route(app, endpoints.passkeyOptions, async ({ c }) => {
    await c.get('limits').take('passkey', c.get('client'));
    return passkeyOptions(deps, await askerOf(c));
  });

  route(app, endpoints.signInByPasskey, async ({ c, body: assertion }) => {
    await c.get('limits').take('passkey', c.get('client'));
    const device = deviceWords(c.req.header('user-agent'));
    const asker = await askerOf(c);
    const signedIn = await signInByPasskey(deps, asker, { assertion, device });
    const known = await knownDevice(c, deps, signedIn.user.email);
    return welcome(c, deps, { ...signedIn, known });
  });

  route(app, endpoints.listPasskeys, async ({ actor }) => listPasskeys(deps, actor));

  route(app, endpoints.newPasskeyOptions, async ({ actor, body }) =>
    newPasskeyOptions(deps, actor, body),
  );

  route(app, endpoints.addPasskey, async ({ c, actor, body: credential }) => {
    await c.get('limits').take('passkey', c.get('client'));
    const device = deviceWords(c.req.header('user-agent'));
    return addPasskey(deps, actor, { credential, device });
  });

  route(app, endpoints.removePasskey, async ({ actor, params, body }) => {
    await removePasskey(deps, actor, { ...params, ...body });
    return { message: 'The passkey is removed.' };
  });

  route(app, choice.getPasskeyChoice, async ({ actor }) => getPasskeyChoice(deps, actor));

  route(app, choice.choosePasskey, async ({ actor, body }) => {
    await choosePasskey(deps, actor, body);
    const message = body.asksOnNewDevices
      ? 'New devices are asked for a passkey.'
      : "New devices aren't asked for a passkey.";
    return { message };
  });

  route(app, undoEndpoint, async ({ c, body }) => {
    await c.get('limits').take('token', c.get('client'));
    const { userId } = await undoKey(deps, 'passkey', body.token);
    deps.log.info({ userId, ...(await who(c, deps.db)) }, 'A new passkey was removed by a link.');
    return { message: 'The passkey is removed, and every device is signed out.' };
  });
}
