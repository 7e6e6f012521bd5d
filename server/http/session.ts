import { createMiddleware } from 'hono/factory';
import { AppError } from '../app-error.ts';
import type { ActorInSession } from '../auth/sessions.ts';
import type { Deps } from '../deps.ts';
import type { AppContext, AppEnv } from './context.ts';
import { readSecretCookie, writeSecretCookie } from './cookies.ts';
import { bind } from './xsrf.ts';

type SessionDeps = Pick<Deps, 'config' | 'sessions' | 'ids'>;

/**
 * Binds the request to its secret cookie; a visitor without a cookie gets one. The session is
 * looked up only when a handler asks for the actor, so pages need no database.
 */
export function session(deps: SessionDeps) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const token = readSecretCookie(c, deps, 'session');
    if (token) {
      bind(c, deps, token);
      c.set('findActor', () => findActor(c, deps, token));
    } else {
      becomeVisitor(c, deps);
    }
    await next();
  });
}

/** The signed-in person, whose call is counted. @throws UNAUTHENTICATED for a visitor, RATE_LIMITED */
export async function requireActor(c: AppContext): Promise<ActorInSession> {
  const actor = await c.get('findActor')();
  if (!actor) {
    await c.get('limits').take('visit', c.get('client'));
    throw new AppError('UNAUTHENTICATED');
  }
  await c.get('limits').take('call', actor.sessionId);
  await c.get('limits').take('callInAll', actor.userId);
  return actor;
}

/** Extends the cookie with its session, and removes a cookie without a session. */
async function findActor(
  c: AppContext,
  deps: SessionDeps,
  token: string,
): Promise<ActorInSession | null> {
  const found = await deps.sessions.validate(token);
  if (!found) {
    writeSecretCookie(c, deps, 'session', '', 0);
    becomeVisitor(c, deps);
    return null;
  }
  if (found.fresh) writeSecretCookie(c, deps, 'session', token, deps.sessions.cookieMaxAge);
  return { userId: found.userId, sessionId: found.sessionId };
}

/** Starts a session in a new cookie: whatever session the request carried is never taken over. */
export async function signIn(c: AppContext, deps: SessionDeps, token: string): Promise<void> {
  await endSession(c, deps);
  writeSecretCookie(c, deps, 'session', token, deps.sessions.cookieMaxAge);
  bind(c, deps, token);
}

export async function signOut(c: AppContext, deps: SessionDeps): Promise<void> {
  if (!(await endSession(c, deps))) return;
  writeSecretCookie(c, deps, 'session', '', 0);
  becomeVisitor(c, deps);
}

async function endSession(c: AppContext, deps: SessionDeps): Promise<boolean> {
  const token = readSecretCookie(c, deps, 'session');
  if (token) await deps.sessions.end(token);
  return token !== undefined;
}

function becomeVisitor(c: AppContext, deps: SessionDeps): void {
  c.set('findActor', async () => null);
  const known = readSecretCookie(c, deps, 'visitor');
  const visitor = known && known.length >= 32 && known.length <= 128 ? known : deps.ids.token();
  if (visitor !== known) writeSecretCookie(c, deps, 'visitor', visitor);
  bind(c, deps, visitor);
}
