import { createMiddleware } from 'hono/factory';
import type { Deps } from '../deps.ts';
import type { AppEnv } from './context.ts';
import { refuseRest } from './refuse-rest.ts';

/**
 * Gives each request an id. When it is answered, logs one line at debug, without query, body or
 * names, and waits no longer for what was not read of it than for other bodies.
 */
export function observe({ config, ids, log }: Pick<Deps, 'config' | 'ids' | 'log'>) {
  let mayWarn = !config.secureCookies;
  return createMiddleware<AppEnv>(async (c, next) => {
    const requestId = ids.uuid();
    c.set('requestId', requestId);
    c.header('X-Request-Id', requestId);
    if (mayWarn && c.req.header('x-forwarded-proto') === 'https') {
      mayWarn = false;
      log.warn(
        'People come by https, but APP_URL says http. Cookies are sent without Secure, and links in emails are wrong. Set APP_URL to the public address.',
      );
    }
    const started = performance.now();
    await next();
    // An upload that is refused half-way, or a body that nobody asked for.
    if (c.req.header('content-length') ?? c.req.header('transfer-encoding')) {
      // The rest of what came with the headers is not counted before.
      await new Promise(setImmediate);
      refuseRest(c.env.incoming, c.env.outgoing);
    }
    log.debug(
      {
        requestId,
        method: c.req.method,
        path: c.req.path,
        status: c.res.status,
        ms: Math.round(performance.now() - started),
      },
      'Answered a request.',
    );
  });
}
