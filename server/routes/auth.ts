import * as endpoints from '../../shared/api/auth.ts';
import type { Deps } from '../deps.ts';
import { registerAccount, signInAccount } from '../domain/accounts.ts';
import { checkResetToken, requestPasswordReset, resetPassword } from '../domain/password-reset.ts';
import { resendVerification, verifyEmail } from '../domain/verification.ts';
import { clientAddress } from '../http/client-address.ts';
import type { App, AppContext } from '../http/context.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { route } from '../http/route.ts';
import { signIn, signOut } from '../http/session.ts';

export function authRoutes(app: App, deps: Deps, limits: RateLimits): void {
  const client = (c: AppContext) => clientAddress(c, deps.config.trustedProxies);

  route(app, endpoints.register, async ({ c, body }) => {
    await limits.count('register', client(c));
    await registerAccount(deps, body);
    return {
      message: 'Account created successfully!',
      emailVerificationRequired: deps.config.emailVerification,
    };
  });

  route(app, endpoints.login, async ({ c, body }) => {
    // Counted by account and address together: nobody can lock another person out from elsewhere.
    // And by address alone, against one password tried on many accounts.
    await limits.count('signInByClient', client(c));
    const attempt = `${body.email} ${client(c)}`;
    await limits.count('signIn', attempt);
    const { user, token } = await signInAccount(deps, body);
    await limits.forget('signIn', attempt);
    await signIn(c, deps, token);
    return { message: 'Welcome back!', user };
  });

  route(app, endpoints.logout, async ({ c }) => {
    await signOut(c, deps);
    return { message: "You've been signed out." };
  });

  route(app, endpoints.forgotPassword, async ({ c, body }) => {
    await limits.count('forgotByClient', client(c));
    await limits.count('forgotByAddress', body.email);
    await requestPasswordReset(deps, body.email);
    return { message: "If there's an account for this address, we've sent it a link." };
  });

  route(app, endpoints.validateToken, async ({ c, query }) => {
    await limits.count('token', client(c));
    await checkResetToken(deps, query.token);
    return { valid: true as const };
  });

  route(app, endpoints.resetPassword, async ({ c, query, body }) => {
    await limits.count('token', client(c));
    await resetPassword(deps, { token: query.token, password: body.password });
    return { message: 'Your password has been successfully updated.' };
  });

  route(app, endpoints.verifyEmail, async ({ c, body }) => {
    await limits.count('token', client(c));
    await verifyEmail(deps, body.token);
    return { message: 'Your email address is confirmed. You can sign in now.' };
  });

  route(app, endpoints.resendVerification, async ({ c, body }) => {
    await limits.count('forgotByClient', client(c));
    await limits.count('forgotByAddress', body.email);
    await resendVerification(deps, body.email);
    return { message: "If this address isn't confirmed yet, we've sent it a new link." };
  });
}
