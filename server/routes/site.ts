import { sql } from 'drizzle-orm';
import * as endpoints from '../../shared/api/site.ts';
import { CAPSULE_FILES_FACTOR, FILES_MAX } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import type { Deps } from '../deps.ts';
import { apiPage, apiPageStyle } from '../http/api-page.ts';
import type { App } from '../http/context.ts';
import { openApiDocument } from '../http/openapi.ts';
import { route } from '../http/route.ts';

/** How long `/readyz` waits for the database before it says no, in milliseconds. */
const READY_WITHIN_MS = 3_000;

export function siteRoutes(app: App, deps: Deps): void {
  const { config, db, files, lifecycle } = deps;

  route(app, endpoints.getSiteLimits, async () => ({
    maxFileMB: config.maxFileMB,
    maxCapsuleMB: Math.min(config.maxFileMB * CAPSULE_FILES_FACTOR, config.storageLimitMB),
    maxFiles: FILES_MAX,
    storageLimitMB: config.storageLimitMB,
  }));

  app.get('/healthz', (c) => c.json({ status: 'ok' }));

  app.get('/readyz', async (c) => {
    if (lifecycle.stopping)
      throw new AppError('UNAVAILABLE', { message: 'The server is stopping.' });
    const answers = Promise.all([db.execute(sql`select 1`), files.check()]);
    try {
      await within(READY_WITHIN_MS, answers);
    } catch (cause) {
      throw new AppError('UNAVAILABLE', { message: 'Database or storage does not answer.', cause });
    }
    return c.json({ status: 'ready' });
  });

  app.get('/api/openapi.json', (c) => c.json(openApiDocument(config.appUrl)));
  app.get('/api/docs', (c) => c.html(apiPage()));
  app.get('/api/docs.css', (c) => c.body(apiPageStyle, 200, { 'Content-Type': 'text/css' }));
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too slow')), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
