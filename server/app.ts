import { Hono, type MiddlewareHandler } from 'hono';
import type { Endpoint } from '../shared/api/endpoint.ts';
import { ENDPOINTS } from '../shared/api/index.ts';
import { AppError } from './app-error.ts';
import type { Deps } from './deps.ts';
import { createBodyRoom } from './http/body-room.ts';
import { clientAddress } from './http/client-address.ts';
import type { App, AppEnv } from './http/context.ts';
import { errorHandler } from './http/errors.ts';
import { observe } from './http/observe.ts';
import { securityHeaders } from './http/security-headers.ts';
import { session } from './http/session.ts';
import type { StaticFiles } from './http/static.ts';
import { xsrf } from './http/xsrf.ts';
import { addressRoutes } from './routes/accounts/addresses.ts';
import { authRoutes } from './routes/accounts/auth.ts';
import { avatarRoutes } from './routes/accounts/avatars.ts';
import { communityRoutes } from './routes/accounts/community.ts';
import { invitationRoutes } from './routes/accounts/invitations.ts';
import { userRoutes } from './routes/accounts/user.ts';
import { binRoutes } from './routes/capsules/bin.ts';
import { capsuleRoutes } from './routes/capsules/capsules.ts';
import { resumableUploadRoutes } from './routes/capsules/resumable-uploads.ts';
import { blockRoutes } from './routes/doors/blocks.ts';
import { identityRoutes } from './routes/doors/identities.ts';
import { passkeyRoutes } from './routes/doors/passkeys.ts';
import { recoveryCodeRoutes } from './routes/doors/recovery-codes.ts';
import { reportRoutes } from './routes/doors/reports.ts';
import { sessionRoutes } from './routes/doors/sessions.ts';
import { addedRoutes, contributionRoutes } from './routes/drafts/contributions.ts';
import { draftRoutes } from './routes/drafts/drafts.ts';
import { emailChoiceRoutes, turnOffRoute } from './routes/emails/email-choices.ts';
import { webhookRoutes } from './routes/emails/webhooks.ts';
import { healthRoutes } from './routes/health.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { pageRoutes } from './routes/pages.ts';
import { pushRoutes } from './routes/push/push.ts';
import { siteRoutes } from './routes/site.ts';

/** The whole server as one request handler. */
export function createApp(deps: Deps, files: StaticFiles): App {
  const { config } = deps;
  const app = new Hono<AppEnv>();

  app.onError(errorHandler(deps));
  app.use(observe(deps));
  app.use(securityHeaders(config));
  app.use(countCalls(deps));
  metricsRoutes(app, deps);
  // Static files and health checks are answered before the session is looked up.
  staticRoutes(app, files);
  avatarRoutes(app, deps);
  healthRoutes(app, deps);

  app.use(refuseWhenStopping(deps));
  webhookRoutes(app, deps);
  turnOffRoute(app, deps);
  app.use(session(deps));
  app.use(xsrf(deps));
  authRoutes(app, deps);
  addressRoutes(app, deps);
  invitationRoutes(app, deps);
  sessionRoutes(app, deps);
  recoveryCodeRoutes(app, deps);
  passkeyRoutes(app, deps);
  identityRoutes(app, deps);
  userRoutes(app, deps);
  blockRoutes(app, deps);
  reportRoutes(app, deps);
  communityRoutes(app, deps);
  binRoutes(app, deps);
  capsuleRoutes(app, deps);
  draftRoutes(app, deps);
  addedRoutes(app, deps);
  contributionRoutes(app, deps);
  emailChoiceRoutes(app, deps);
  pushRoutes(app, deps);
  resumableUploadRoutes(app, deps);
  siteRoutes(app, deps);
  pageRoutes(app, deps.config, files);
  return app;
}

/**
 * While the server stops, new requests get a 503, so that clients repeat them with the next
 * process.
 */
function refuseWhenStopping({ lifecycle }: Pick<Deps, 'lifecycle'>): MiddlewareHandler<AppEnv> {
  return async (_c, next) => {
    if (lifecycle.stopping) {
      const message = 'The server is restarting. Please try again in a moment.';
      throw new AppError('UNAVAILABLE', { message });
    }
    await next();
  };
}

/**
 * Whatever anybody may ask for counts by client, here alone. Calls of signed-in people count by person,
 * and by client where nobody is signed in (`requireActor`).
 */
function countCalls({
  config,
  limits,
}: Pick<Deps, 'config' | 'limits'>): MiddlewareHandler<AppEnv> {
  const ofPeople = callsOf('signed-in');
  const bodies = createBodyRoom();
  return async (c, next) => {
    const client = clientAddress(c, config.trustedProxies);
    c.set('client', client);
    c.set('limits', limits);
    const places: { leave(): void }[] = [];
    c.set('bodies', {
      enter(network, refuse) {
        const place = bodies.enter(network, refuse);
        places.push(place);
        return place;
      },
    });
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
    if (!ofPeople.test(`${method} ${c.req.path}`)) await limits.take('visit', client);
    try {
      await next();
    } finally {
      // Not when the answer has left: who doesn't read it would hold the place.
      for (const place of places) place.leave();
    }
  };
}

/** Matches the method and the path of each such call. */
function callsOf(who: Endpoint['access']): RegExp {
  const calls = (Object.values(ENDPOINTS) as Endpoint[])
    .filter(({ access }) => access === who)
    .map(({ method, path }) => `${method} ${path.replace(/:\w+/g, '[^/]+')}`);
  return new RegExp(`^(?:${calls.join('|')})$`);
}

function staticRoutes(app: App, files: StaticFiles): void {
  app.get('/static/*', async (c, next) => files.serve(c, c.req.path) ?? next());
}
