import * as endpoints from '../../shared/api/site.ts';
import { CAPSULE_FILES_FACTOR, FILES_MAX } from '../../shared/limits.ts';
import type { Deps } from '../deps.ts';
import type { App } from '../http/context.ts';
import { openApiDocument } from '../http/openapi.ts';
import { route } from '../http/route.ts';

export function siteRoutes(app: App, { config }: Pick<Deps, 'config'>): void {
  route(app, endpoints.getSiteLimits, async () => ({
    maxFileMB: config.maxFileMB,
    maxCapsuleMB: Math.min(config.maxFileMB * CAPSULE_FILES_FACTOR, config.storageLimitMB),
    maxFiles: FILES_MAX,
    storageLimitMB: config.storageLimitMB,
    handsOverInvitations: !config.emailVerification,
  }));

  route(app, endpoints.getContact, async () => ({
    ...config.contact,
    name: config.siteName,
    registration: config.registration,
    ...(config.identityProvider && { provider: config.identityProvider.name }),
    ...(!config.passwordSignIn && { passwordsOff: true }),
  }));

  app.get('/api/openapi.json', (c) => c.json(openApiDocument(config.appUrl)));
}
