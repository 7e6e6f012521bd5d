import * as endpoints from '../../../shared/api/identities.ts';
import { undoIdentity as undoEndpoint } from '../../../shared/api/undo-identity.ts';
import { AppError } from '../../app-error.ts';
import { STATE_SECONDS } from '../../auth/oidc-state.ts';
import type { Deps } from '../../deps.ts';
import { resendVerification } from '../../domain/accounts/verification.ts';
import { deviceWords } from '../../domain/doors/device-words.ts';
import {
  addIdentity,
  checkLinking,
  getIdentity,
  removeIdentity,
} from '../../domain/doors/identities.ts';
import type { Asker } from '../../domain/doors/passkey-sign-in.ts';
import {
  comeBack,
  confirmByProvider,
  enterByProvider,
  findJourney,
  goToProvider,
  type Journey,
  type Returned,
} from '../../domain/doors/provider-sign-in.ts';
import { undoKey } from '../../domain/doors/undo-key.ts';
import type { App, AppContext } from '../../http/context.ts';
import { readSecretCookie, writeSecretCookie } from '../../http/cookies.ts';
import { knownDevice } from '../../http/device-cookie.ts';
import { route } from '../../http/route.ts';
import { refusal, who } from '../../http/who.ts';
import { mayEmail } from '../accounts/may-email.ts';
import { askerOf } from './asker.ts';
import { welcome } from './welcome.ts';

/** Where people sign in, arrive, and link: the pages that say what came of it. */
const SIGN_IN = '/auth';
const ARRIVED = '/auth/welcome';
const SIGN_INS = '/profile/sign-in';
/** In their addresses, with the code of a failure or what went well. */
const SAYS = 'provider';

export function identityRoutes(app: App, deps: Deps): void {
  app.get(endpoints.startSignIn.path, async (c) => {
    const asker = await askerOf(c);
    // Somebody who is signed in is led on from there.
    if ('userId' in asker || !deps.config.identityProvider) return c.redirect(SIGN_IN);
    try {
      return c.redirect(await depart(c, asker, { purpose: 'sign-in' }));
    } catch (error) {
      return c.redirect(await told(c, SIGN_IN, error));
    }
  });

  route(app, endpoints.askProvider, async ({ c, body }) => {
    const asker = await askerOf(c);
    const { invitation, page } = body;
    const about =
      'userId' in asker
        ? { purpose: 'confirm' as const, ...(page && { page }) }
        : { purpose: 'sign-in' as const, ...(invitation && { invitation }) };
    return { url: await depart(c, asker, about) };
  });

  route(app, endpoints.getIdentity, async ({ actor }) => getIdentity(deps, actor));

  route(app, endpoints.linkIdentity, async ({ c, actor, body }) => {
    await checkLinking(deps, actor, body);
    return { url: await depart(c, actor, { purpose: 'link' }) };
  });

  route(app, endpoints.unlinkIdentity, async ({ actor, body }) => {
    await removeIdentity(deps, actor, body);
    return { message: 'That account is unlinked.' };
  });

  route(app, undoEndpoint, async ({ c, body }) => {
    await c.get('limits').take('token', c.get('client'));
    const { userId } = await undoKey(deps, 'identity', body.token);
    deps.log.info({ userId, ...(await who(c, deps.db)) }, 'An identity was unlinked by a link.');
    return { message: 'That account is unlinked, and every device is signed out.' };
  });

  app.get(endpoints.finishSignIn.path, async (c) => {
    const { search } = new URL(c.req.url);
    const cookie = readSecretCookie(c, deps, 'oidc') ?? '';
    const journey = await findJourney(deps, { cookie, search });
    // That of a later tab is still on its way.
    if (journey) writeSecretCookie(c, deps, 'oidc', '', 0);
    const back = backOf(journey);
    try {
      await c.get('limits').take('provider', c.get('client'));
      const asker = await askerOf(c);
      // The other of two tabs has signed in meanwhile.
      if ('userId' in asker && journey?.state.purpose === 'sign-in') return c.redirect(ARRIVED);
      const returned = await comeBack(deps, asker, { journey, search });
      return c.redirect(await arrive(c, asker, returned, back));
    } catch (error) {
      return c.redirect(await told(c, back, error));
    }
  });

  async function depart(c: AppContext, asker: Asker, about: Parameters<typeof goToProvider>[2]) {
    await c.get('limits').take('provider', c.get('client'));
    const { url, cookie } = await goToProvider(deps, asker, about);
    writeSecretCookie(c, deps, 'oidc', cookie, STATE_SECONDS);
    return url;
  }

  /** @returns the page that says so */
  async function arrive(c: AppContext, asker: Asker, returned: Returned, back: string) {
    if (returned.purpose === 'sign-in') {
      await enter(c, returned);
      return ARRIVED;
    }
    // Whoever has begun is signed in, and is the one who has come back.
    if (!('userId' in asker)) throw new AppError('UNAUTHENTICATED');
    if (returned.purpose === 'link') {
      await addIdentity(deps, asker, returned.answer);
      return `${back}?${SAYS}=linked`;
    }
    await confirmByProvider(deps, asker, returned.answer);
    return `${back}?${SAYS}=confirmed`;
  }

  async function enter(c: AppContext, returned: Returned): Promise<void> {
    const device = deviceWords(c.req.header('user-agent'));
    const entered = await enterByProvider(deps, returned, device);
    if ('unconfirmed' in entered) {
      const { unconfirmed: email, isNew } = entered;
      if (!isNew && (await mayEmail(c, email))) {
        await resendVerification(deps, { email, client: c.get('client') });
      }
      throw new AppError('EMAIL_NOT_VERIFIED', { email });
    }
    const known = await knownDevice(c, deps, entered.user.email);
    await welcome(c, deps, { ...entered, known });
  }

  /** The address of a page that says why it did not work. The code alone: its sentences are the page's. */
  async function told(c: AppContext, page: string, error: unknown): Promise<string> {
    if (!(error instanceof AppError)) throw error;
    const fields = await refusal(c, deps.db, error.code);
    if (fields) deps.log.info(fields, 'A sign-in by the identity provider was refused.');
    return `${page}?${SAYS}=${error.code}`;
  }
}

function backOf(journey: Journey | null): string {
  if (!journey || journey.state.purpose === 'sign-in') return SIGN_IN;
  return journey.state.page ?? SIGN_INS;
}
