import * as endpoints from '../../../shared/api/auth.ts';
import { logout } from '../../../shared/api/logout.ts';
import type { Deps } from '../../deps.ts';
import { registerAccount, signInAccount } from '../../domain/accounts/accounts.ts';
import { claimInvitation } from '../../domain/accounts/invitations.ts';
import { checkPasswordsOn } from '../../domain/accounts/password-policy.ts';
import {
  checkResetToken,
  requestPasswordReset,
  resetPassword,
} from '../../domain/accounts/password-reset.ts';
import { resendVerification, verifyEmail } from '../../domain/accounts/verification.ts';
import { deviceWords } from '../../domain/doors/device-words.ts';
import type { App } from '../../http/context.ts';
import { knownDevice, rememberDevice } from '../../http/device-cookie.ts';
import { route } from '../../http/route.ts';
import { signOut } from '../../http/session.ts';
import { inSignInTurn } from '../../http/sign-in-turn.ts';
import { who } from '../../http/who.ts';
import { welcome } from '../doors/welcome.ts';
import { mayEmail } from './may-email.ts';

export function authRoutes(app: App, deps: Deps): void {
  route(app, endpoints.register, async ({ c, body }) => {
    c.set('account', body.email);
    await c.get('limits').take('register', c.get('client'));
    const { invitation } = body;
    const { mustVerify } = invitation
      ? await claimInvitation(deps, { ...body, invitation })
      : await registerAccount(deps, { ...body, client: c.get('client') });
    return { message: 'Account created successfully!', emailVerificationRequired: mustVerify };
  });

  route(app, endpoints.login, async ({ c, body }) => {
    c.set('account', body.email);
    const known = await knownDevice(c, deps, body.email);
    const from = {
      email: body.email,
      client: c.get('client'),
      device: known,
      isGone: () => c.env.outgoing.closed,
    };
    const device = deviceWords(c.req.header('user-agent'));
    const signedIn = await inSignInTurn(c.get('limits'), from, () =>
      signInAccount(deps, { ...body, device, isKnown: known !== null }),
    );
    return welcome(c, deps, { ...signedIn, known });
  });

  route(app, logout, async ({ c }) => {
    await signOut(c, deps);
    return { message: "You've been signed out." };
  });

  route(app, endpoints.forgotPassword, async ({ c, body }) => {
    c.set('account', body.email);
    await c.get('limits').take('forgotByClient', c.get('client'));
    checkPasswordsOn(deps);
    const client = c.get('client');
    const isSent = await mayEmail(c, body.email);
    if (isSent) await requestPasswordReset(deps, { ...body, client });
    deps.log.info({ isSent, ...(await who(c, deps.db)) }, 'A reset link was asked for.');
    return { message: "If there's an account for this address, we've sent it a link." };
  });

  route(app, endpoints.validateToken, async ({ c, query }) => {
    await c.get('limits').take('token', c.get('client'));
    await checkResetToken(deps, query.token);
    return { valid: true as const };
  });

  route(app, endpoints.resetPassword, async ({ c, query, body }) => {
    await c.get('limits').take('token', c.get('client'));
    const {
      userId: id,
      takesEffectAt,
      lacksPasskey,
      deviceRound,
    } = await resetPassword(deps, {
      token: query.token,
      password: body.password,
      isKnown: async (email) => (await knownDevice(c, deps, email)) !== null,
    });
    // As long as it waits, its owner may refuse it.
    if (!takesEffectAt) await rememberDevice(c, deps, { id, deviceRound });
    deps.log.info(
      { userId: id, waits: takesEffectAt !== null, ...(await who(c, deps.db)) },
      'A password was set by a link.',
    );
    const countsFrom = takesEffectAt?.toISOString();
    if (lacksPasskey) {
      const message =
        'This device is new, and your account wants a passkey there. So your new password has to wait, unless you enter a recovery code.';
      return { message, countsFrom, lacksPasskey };
    }
    if (countsFrom) {
      const message =
        "We've emailed your other address. Once you agree there, your new password takes effect.";
      return { message, countsFrom };
    }
    return { message: 'Your password has been successfully updated.' };
  });

  route(app, endpoints.verifyEmail, async ({ c, body }) => {
    await c.get('limits').take('token', c.get('client'));
    await verifyEmail(deps, body.token);
    return { message: 'Your email address is confirmed. You can sign in now.' };
  });

  route(app, endpoints.resendVerification, async ({ c, body }) => {
    c.set('account', body.email);
    await c.get('limits').take('forgotByClient', c.get('client'));
    const asked = { email: body.email, client: c.get('client') };
    if (await mayEmail(c, body.email)) await resendVerification(deps, asked);
    return { message: "If this address isn't confirmed yet, we've sent it a new link." };
  });
}
