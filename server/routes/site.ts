import * as endpoints from '../../shared/api/site.ts';
import { CAPSULE_FILES_FACTOR, FILES_MAX } from '../../shared/limits.ts';
import type { Deps } from '../deps.ts';
import { apiPage, apiPageStyle } from '../http/api-page.ts';
import type { App } from '../http/context.ts';
import { openApiDocument } from '../http/openapi.ts';
import { route } from '../http/route.ts';
import { PAGE_POLICY } from '../http/security-headers.ts';

export function siteRoutes(app: App, { config }: Deps): void {
  route(app, endpoints.getSiteLimits, async () => ({
    maxFileMB: config.maxFileMB,
    maxCapsuleMB: Math.min(config.maxFileMB * CAPSULE_FILES_FACTOR, config.storageLimitMB),
    maxFiles: FILES_MAX,
    storageLimitMB: config.storageLimitMB,
  }));

  app.get('/api/openapi.json', (c) => c.json(openApiDocument(config.appUrl)));
  app.get('/api/docs', (c) => {
    c.header('Content-Security-Policy', PAGE_POLICY);
    return c.html(apiPage());
  });
  app.get('/api/docs.css', (c) => c.body(apiPageStyle, 200, { 'Content-Type': 'text/css' }));
}
