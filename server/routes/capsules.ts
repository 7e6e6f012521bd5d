import * as endpoints from '../../shared/api/capsules.ts';
import * as creation from '../../shared/api/new-capsule.ts';
import * as notices from '../../shared/api/notices.ts';
import * as opened from '../../shared/api/opened.ts';
import type { Deps } from '../deps.ts';
import { deleteCapsule, getCapsule, listCapsules } from '../domain/capsules.ts';
import { getDashboardSummary } from '../domain/dashboard.ts';
import { findDownload } from '../domain/downloads.ts';
import { listOpened } from '../domain/opened.ts';
import { createReceiving } from '../domain/receiving.ts';
import { listNotices } from '../domain/sent-notices.ts';
import type { App } from '../http/context.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { route } from '../http/route.ts';
import { sendFile } from '../http/send-file.ts';
import { requireActor } from '../http/session.ts';
import { createCapsule } from './create-capsule.ts';

export function capsuleRoutes(app: App, deps: Deps, limits: RateLimits): void {
  const receiving = createReceiving();

  route(app, endpoints.listCreated, async ({ actor, query }) =>
    listCapsules(deps, actor, { ...query, type: 'created' }),
  );

  route(app, endpoints.listReceived, async ({ actor, query }) =>
    listCapsules(deps, actor, { ...query, type: 'received' }),
  );

  route(app, endpoints.getDashboardSummary, async ({ actor, query }) =>
    getDashboardSummary(deps, actor, query),
  );

  route(app, opened.listOpened, async ({ actor, query }) => listOpened(deps, actor, query));

  app.get(endpoints.downloadFile.path, async (c) => {
    const file = await findDownload(deps, await requireActor(c), c.req.param('fileId') ?? '');
    return sendFile(c, deps.files, {
      ...file,
      etag: file.sha256,
      disposition: 'attachment',
      cacheControl: 'private, no-store',
    });
  });

  route(app, endpoints.getCapsule, async ({ actor, params }) => getCapsule(deps, actor, params.id));

  route(app, notices.listNotices, async ({ actor, params }) => listNotices(deps, actor, params.id));

  app.post(creation.createCapsule.path, async (c) => {
    const actor = await requireActor(c);
    await limits.count('create', actor.userId);
    const capsule = await createCapsule({ ...deps, receiving }, actor, c.env.incoming);
    return c.json(capsule, creation.createCapsule.status as 201);
  });

  route(app, endpoints.deleteCapsule, async ({ actor, params }) => {
    await deleteCapsule(deps, actor, params.id);
    return { message: 'The capsule is deleted.' };
  });
}
