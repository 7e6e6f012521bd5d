import { AppError } from '../app-error.ts';
import { equal } from '../auth/equal.ts';
import type { Deps } from '../deps.ts';
import type { App } from '../http/context.ts';
import { createMetrics } from '../http/metrics.ts';

/** `GET /metrics` for who has the token. Without one in the configuration nothing is counted. */
export function metricsRoutes(app: App, deps: Pick<Deps, 'config' | 'db' | 'clock'>): void {
  const { metricsToken } = deps.config;
  if (!metricsToken) {
    app.get('/metrics', () => {
      throw new AppError('NOT_FOUND');
    });
    return;
  }
  const metrics = createMetrics(deps);

  app.use(async (c, next) => {
    const started = performance.now();
    await next();
    metrics.count(c, (performance.now() - started) / 1_000);
  });

  app.get('/metrics', async (c) => {
    if (!equal(c.req.header('authorization') ?? '', `Bearer ${metricsToken}`)) {
      const message = 'This needs METRICS_TOKEN as bearer token.';
      throw new AppError('UNAUTHENTICATED', { message });
    }
    return c.body(await metrics.read(), 200, { 'content-type': metrics.contentType });
  });
}
