import { createMiddleware } from 'hono/factory';
import type { Deps } from '../deps.ts';
import type { AppEnv } from './context.ts';

/** Gives each request an id and logs one line when it is answered, without query, body or names. */
export function observe({ ids, log }: Pick<Deps, 'ids' | 'log'>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const requestId = ids.uuid();
    c.set('requestId', requestId);
    c.header('X-Request-Id', requestId);
    const started = performance.now();
    await next();
    log.info(
      {
        requestId,
        method: c.req.method,
        path: c.req.path,
        status: c.res.status,
        ms: Math.round(performance.now() - started),
      },
      'request',
    );
  });
}
