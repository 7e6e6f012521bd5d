import { createHash } from 'node:crypto';
import * as endpoints from '../../shared/api/uploads.ts';
import {
  CONTENT_DIGEST_HEADER,
  UPLOAD_OFFSET_HEADER,
  UPLOAD_PART_MAX_BYTES,
} from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import type { Deps } from '../deps.ts';
import { abandonUpload, getUpload, receivePart, startUpload } from '../domain/uploads.ts';
import type { App, AppContext } from '../http/context.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { readBody } from '../http/read-body.ts';
import { route } from '../http/route.ts';

export function resumableUploadRoutes(app: App, deps: Deps, limits: RateLimits): void {
  const answer = (c: AppContext, state: endpoints.UploadState) => {
    c.header(UPLOAD_OFFSET_HEADER, String(state.offset));
    return state;
  };

  route(app, endpoints.startUpload, async ({ c, actor, params, body }) => {
    await limits.count('create', actor.userId);
    return answer(c, await startUpload(deps, actor, params.id, body));
  });

  route(app, endpoints.getUpload, async ({ c, actor, params }) =>
    answer(c, await getUpload(deps, actor, params.id)),
  );

  route(app, endpoints.sendPart, async ({ c, actor, params }) => {
    const start = partStart(c);
    const bytes = await readBody(c.env.incoming, UPLOAD_PART_MAX_BYTES);
    checkDigest(c.req.header(CONTENT_DIGEST_HEADER), bytes);
    return answer(c, await receivePart(deps, actor, params.id, { start, bytes }));
  });

  route(app, endpoints.abandonUpload, async ({ actor, params }) => {
    await abandonUpload(deps, actor, params.id);
    return { message: 'The upload is given up.' };
  });
}

function partStart(c: AppContext): number {
  const encoding = c.req.header('content-encoding') ?? 'identity';
  if (c.req.header('content-type') !== endpoints.sendPart.bytes || encoding !== 'identity') {
    const message = `Please send parts as plain ${endpoints.sendPart.bytes}.`;
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { message });
  }
  const header = c.req.header(UPLOAD_OFFSET_HEADER) ?? '';
  if (/^\d{1,15}$/.test(header)) return Number(header);
  const message = `${UPLOAD_OFFSET_HEADER} must say where the part begins.`;
  throw new AppError('VALIDATION_FAILED', { message, errors: { [UPLOAD_OFFSET_HEADER]: message } });
}

/** @throws UPLOAD_PART_CORRUPT when the part is not what the client read; other digests than sha-256 are not judged. */
function checkDigest(header: string | undefined, bytes: Buffer): void {
  const expected = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]+):/.exec(header ?? '')?.[1];
  if (expected === undefined) return;
  const actual = createHash('sha256').update(bytes).digest('base64');
  if (actual !== expected) throw new AppError('UPLOAD_PART_CORRUPT');
}
