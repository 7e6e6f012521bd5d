import * as endpoints from '../../../shared/api/uploads.ts';
import {
  CHUNK_DIGESTS_HEADER,
  UPLOAD_OFFSET_HEADER,
  UPLOAD_PART_MAX_BYTES,
} from '../../../shared/limits.ts';
import { AppError, fieldError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import { checkNoMaintenance } from '../../domain/doors/maintenance.ts';
import { withRoom } from '../../domain/storage/storage-limit.ts';
import { createTurns } from '../../domain/storage/turns.ts';
import {
  abandonUpload,
  getUpload,
  receivePart,
  startUpload,
} from '../../domain/storage/uploads.ts';
import { arrivingPart } from '../../http/arriving-part.ts';
import type { App, AppContext } from '../../http/context.ts';
import { route } from '../../http/route.ts';

export function resumableUploadRoutes(app: App, deps: Deps): void {
  const turns = createTurns();

  route(app, endpoints.startUpload, async ({ c, actor, params, body }) => {
    await c.get('limits').take('create', actor.userId);
    await checkNoMaintenance(deps);
    const start = () => startUpload(deps, actor, params.id, body);
    return progressOf(c, await withRoom(deps, actor, start));
  });

  route(app, endpoints.getUpload, async ({ c, actor, params }) =>
    progressOf(c, await getUpload(deps, actor, params.id)),
  );

  route(app, endpoints.sendPart, async ({ c, actor, params }) => {
    await checkNoMaintenance(deps);
    const place = placeOf(c);
    const part = arrivingPart(c.env.incoming, chunkDigests(c));
    const receive = () => receivePart(deps, turns, actor, params.id, place, part);
    return progressOf(c, await c.get('limits').inTurn('upload', actor.userId, receive));
  });

  route(app, endpoints.abandonUpload, async ({ actor, params }) => {
    await abandonUpload(deps, turns, actor, params.id);
    return { message: 'The upload has been cancelled.' };
  });
}

/** The state of an upload, with its offset in a header too. */
export function progressOf(c: AppContext, state: endpoints.UploadState): endpoints.UploadState {
  c.header(UPLOAD_OFFSET_HEADER, String(state.offset));
  return state;
}

/** Where a part begins, and its bytes. @throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, VALIDATION_FAILED */
export function placeOf(c: AppContext): { start: number; length: number } {
  const encoding = c.req.header('content-encoding') ?? 'identity';
  if (c.req.header('content-type') !== endpoints.sendPart.bytes || encoding !== 'identity') {
    const message = `Please send parts as plain ${endpoints.sendPart.bytes}.`;
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { message });
  }
  const start = numberIn(c, UPLOAD_OFFSET_HEADER, 'where the part begins');
  const length = numberIn(c, 'Content-Length', 'how many bytes the part has');
  if (length > UPLOAD_PART_MAX_BYTES) throw new AppError('PAYLOAD_TOO_LARGE');
  return { start, length };
}

function numberIn(c: AppContext, header: string, what: string): number {
  const value = c.req.header(header) ?? '';
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw fieldError(header, `${header} must say ${what}.`);
}

/** @throws VALIDATION_FAILED */
export function chunkDigests(c: AppContext): string[] {
  const header = c.req.header(CHUNK_DIGESTS_HEADER);
  if (header === undefined) return [];
  const items = header
    .split(',')
    .map((item) => /^ *:([A-Za-z0-9+/]{43}=): *$/.exec(item)?.[1] ?? '');
  if (!items.includes('')) return items;
  const message = `${CHUNK_DIGESTS_HEADER} must be SHA-256 digests in base64, each between two colons.`;
  throw fieldError(CHUNK_DIGESTS_HEADER, message);
}
