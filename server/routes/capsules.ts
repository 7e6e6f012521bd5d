import * as endpoints from '../../shared/api/capsules.ts';
import * as creation from '../../shared/api/new-capsule.ts';
import * as notices from '../../shared/api/notices.ts';
import * as opened from '../../shared/api/opened.ts';
import { IDEMPOTENCY_HEADER } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import type { Deps } from '../deps.ts';
import { deleteCapsule, getCapsule, listCapsules } from '../domain/capsules.ts';
import { createCapsule } from '../domain/create-capsule.ts';
import { getDashboardSummary } from '../domain/dashboard.ts';
import { findDownload } from '../domain/downloads.ts';
import { isUuid } from '../domain/is-uuid.ts';
import { listOpened } from '../domain/opened.ts';
import { createReservations } from '../domain/reservations.ts';
import { listNotices } from '../domain/sent-notices.ts';
import { capsuleParts } from '../http/capsule-parts.ts';
import type { App, AppContext } from '../http/context.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { route } from '../http/route.ts';
import { sendFile } from '../http/send-file.ts';
import { requireActor } from '../http/session.ts';

export function capsuleRoutes(app: App, deps: Deps, limits: RateLimits): void {
  const reservations = createReservations();

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
    const { incoming } = c.env;
    const capsule = await createCapsule({ ...deps, reservations }, actor, {
      key: idempotencyKey(c),
      announcedBytes: Number(incoming.headers['content-length'] ?? 0),
      parts: capsuleParts(deps.config, incoming),
    });
    return c.json(capsule, creation.createCapsule.status as 201);
  });

  route(app, endpoints.deleteCapsule, async ({ actor, params }) => {
    await deleteCapsule(deps, actor, params.id);
    return { message: 'The capsule has been deleted.' };
  });
}

/** @throws VALIDATION_FAILED when it is there and not a UUID. */
function idempotencyKey(c: AppContext): string | null {
  const header = c.req.header(IDEMPOTENCY_HEADER);
  if (header === undefined) return null;
  if (isUuid(header)) return header;
  const message = `${IDEMPOTENCY_HEADER} must be one UUID.`;
  throw new AppError('VALIDATION_FAILED', { message, errors: { [IDEMPOTENCY_HEADER]: message } });
}
