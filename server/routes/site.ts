import * as endpoints from '../../shared/api/site.ts';
import { CAPSULE_FILES_FACTOR, FILES_MAX } from '../../shared/limits.ts';
import type { Deps } from '../deps.ts';
import type { App } from '../http/context.ts';
import { etagMatches, etagOf } from '../http/etag.ts';
import { openApiDocument } from '../http/openapi.ts';
import { route } from '../http/route.ts';

export function siteRoutes(app: App, { config }: Pick<Deps, 'config'>): void {
  route(app, endpoints.getSiteLimits, async () => ({
    maxFileMB: config.maxFileMB,
    maxCapsuleMB: Math.min(config.maxFileMB * CAPSULE_FILES_FACTOR, config.storageLimitMB),
    maxFiles: FILES_MAX,
    storageLimitMB: config.storageLimitMB,
    handsOverInvitations: !config.emailVerification && config.registration !== 'closed',
  }));

  route(app, endpoints.getContact, async () => ({
    ...config.contact,
    name: config.siteName,
    registration: config.registration,
    ...(config.identityProvider && { provider: config.identityProvider.name }),
    ...(!config.passwordSignIn && { passwordsOff: true }),
  }));

  // Made by the first call: it takes as long as a hundred others.
  let description: ReturnType<typeof describe> | undefined;
  app.get('/api/openapi.json', (c) => {
    description ??= describe(config.appUrl);
    const { bytes, etag } = description;
    const headers = { 'Content-Type': 'application/json', ETag: etag, 'Cache-Control': 'no-cache' };
    const isKnown = etagMatches(c.req.header('if-none-match'), etag);
    return isKnown ? c.body(null, 304, headers) : c.body(bytes, 200, headers);
  });
}

function describe(appUrl: string) {
  const bytes = Buffer.from(JSON.stringify(openApiDocument(appUrl)));
  return { bytes, etag: etagOf(bytes) };
}
