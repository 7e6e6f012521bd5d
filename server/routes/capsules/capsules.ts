import { Readable } from 'node:stream';
import * as endpoints from '../../../shared/api/capsules.ts';
import * as creation from '../../../shared/api/new-capsule.ts';
import * as notices from '../../../shared/api/notices.ts';
import * as opened from '../../../shared/api/opened.ts';
import { calendarEvent, calendarFileName } from '../../../shared/calendar-event.ts';
import { IDEMPOTENCY_HEADER } from '../../../shared/limits.ts';
import { AppError, fieldError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import { capsuleJson } from '../../domain/capsules/capsule-json.ts';
import {
  findCapsule,
  getCapsule,
  hideCapsule,
  listCapsules,
} from '../../domain/capsules/capsules.ts';
import { createCapsule } from '../../domain/capsules/create-capsule.ts';
import { getDashboardSummary } from '../../domain/capsules/dashboard.ts';
import { findDownload } from '../../domain/capsules/downloads.ts';
import { listOpened, markSeen, tellRead } from '../../domain/capsules/opened.ts';
import { makeRendition } from '../../domain/capsules/rendition.ts';
import { deviceWords } from '../../domain/doors/device-words.ts';
import { checkNoMaintenance } from '../../domain/doors/maintenance.ts';
import { invitationUrl } from '../../domain/email-content/links.ts';
import { listNotices, sendNoticeAgain } from '../../domain/emails/sent-notices.ts';
import { capsuleArchive } from '../../domain/export/export.ts';
import { capsuleParts } from '../../http/capsule-parts.ts';
import { contentDisposition } from '../../http/content-disposition.ts';
import type { App, AppContext } from '../../http/context.ts';
import { roomOf } from '../../http/request-body.ts';
import { type Call, parse, route } from '../../http/route.ts';
import { sendArchive } from '../../http/send-archive.ts';
import { createStoredFiles } from '../../http/send-file.ts';
import { requireActor } from '../../http/session.ts';
import { untilSent } from '../../http/until-sent.ts';
import { toWeb } from '../../http/web-stream.ts';
import { isUuid } from '../../ids.ts';
import { countInvitation } from '../accounts/invitations.ts';

export function capsuleRoutes(app: App, deps: Deps): void {
  const stored = createStoredFiles(deps);

  const list = (
    type: endpoints.CapsuleType,
    { c, actor, query }: Call<typeof endpoints.listCreated>,
    hidden = false,
  ) => {
    const read = () => listCapsules(deps, actor, { ...query, type, hidden });
    return query.query ? c.get('limits').inTurn('listSearch', actor.userId, read) : read();
  };
  route(app, endpoints.listCreated, (call) => list('created', call));
  route(app, endpoints.listReceived, (call) =>
    list('received', call, call.query.hidden === 'true'),
  );

  route(app, endpoints.getDashboardSummary, async ({ actor, query }) =>
    getDashboardSummary(deps, actor, query),
  );

  route(app, opened.listOpened, async ({ actor }) => listOpened(deps, actor));

  app.get(endpoints.getCalendarEvent.path, async (c) => {
    const id = c.req.param('id') ?? '';
    const page = `/dashboard?capsule=${encodeURIComponent(id)}`;
    try {
      const actor = await requireActor(c);
      const read = () => getCapsule(deps, actor, id);
      const capsule = await c.get('limits').inTurn('read', actor.userId, read);
      const event = { ...capsule, url: deps.config.appUrl + page, now: deps.clock.now() };
      return c.body(calendarEvent(event), 200, {
        'Content-Type': 'text/calendar; charset=utf-8',
        'Content-Disposition': contentDisposition('attachment', calendarFileName(capsule)),
      });
    } catch (error) {
      // Emails link here: the page lets people sign in, or says that the capsule is gone.
      const isLink = c.req.header('Accept')?.includes('text/html');
      if (isLink && error instanceof AppError) return c.redirect(page, 303);
      throw error;
    }
  });

  app.get(endpoints.downloadFile.path, async (c) => {
    const actor = await requireActor(c);
    const file = await findDownload(deps, actor, c.req.param('fileId') ?? '');
    const send = () =>
      stored.send(c, {
        ...file,
        disposition: 'attachment',
        cacheControl: 'private, no-store',
      });
    return untilSent(c, 'download', actor.userId, send);
  });

  app.get(endpoints.downloadFiles.path, async (c) => {
    const actor = await requireActor(c);
    const { name, read } = await capsuleArchive(deps, actor, c.req.param('id') ?? '');
    return sendArchive(c, deps, actor, {
      disposition: contentDisposition('attachment', name),
      read,
    });
  });

  app.get(endpoints.getRendition.path, async (c) => {
    const actor = await requireActor(c);
    const { size } = parse(endpoints.renditionQuery, c.req.query());
    const file = await findDownload(deps, actor, c.req.param('fileId') ?? '');
    const limits = c.get('limits');
    await limits.take('rendition', actor.userId);
    const make = () => makeRendition(actor, file, size, () => stored.readWhole(file));
    const rendition = await limits.inTurn('rendition', actor.userId, make);
    return c.body(new Uint8Array(rendition), 200, { 'Content-Type': 'image/webp' });
  });

  app.get(endpoints.getCapsule.path, async (c) => {
    const actor = await requireActor(c);
    const find = () => findCapsule(deps, actor, c.req.param('id') ?? '');
    const view = await c.get('limits').inTurn('read', actor.userId, find);
    if (!view.capsule.contributors) return c.json(view.capsule);
    return untilSent(c, 'download', actor.userId, async () => {
      const pieces = Readable.from(capsuleJson(deps, view), { objectMode: false });
      const body = toWeb(c, pieces, (error) => {
        const fields = { requestId: c.get('requestId'), err: error };
        deps.log.error(fields, 'The details of a capsule broke off.');
      });
      return c.body(body, 200, { 'Content-Type': 'application/json' });
    });
  });

  route(app, endpoints.setHidden, async ({ actor, params, body: { hidden } }) => {
    await hideCapsule(deps, actor, { id: params.id, hidden });
    return { hidden };
  });

  route(app, opened.markSeen, async ({ actor, params }) => ({
    seen: await markSeen(deps, actor, params.id),
  }));

  route(app, opened.tellRead, async ({ actor, params, body }) => ({
    openedOn: await tellRead(deps, actor, { ...body, id: params.id }),
  }));

  route(app, notices.listNotices, async ({ actor, params }) => listNotices(deps, actor, params.id));
  route(app, notices.sendNoticeAgain, async ({ actor, params }) =>
    sendNoticeAgain(deps, actor, params),
  );

  app.post(creation.createCapsule.path, async (c) => {
    const actor = await requireActor(c);
    await c.get('limits').take('create', actor.userId);
    await checkNoMaintenance(deps);
    const { incoming } = c.env;
    const arriving = {
      key: idempotencyKey(c),
      announcedBytes: Number(incoming.headers['content-length'] ?? 0),
      device: deviceWords(c.req.header('user-agent')),
      countInvitation: (email: string) =>
        countInvitation(c.get('limits'), { by: actor.userId, email }),
      parts: capsuleParts(deps.config, incoming, roomOf(c)),
    };
    const create = () => createCapsule(deps, actor, arriving);
    const { capsule, links } = await c.get('limits').inTurn('upload', actor.userId, create);
    const invitations = links.map(({ email, token }) => ({
      email,
      link: invitationUrl(deps, token),
    }));
    const answer = invitations.length > 0 ? { ...capsule, invitations } : capsule;
    return c.json(answer, creation.createCapsule.status as 201);
  });
}

/** @throws VALIDATION_FAILED when it is there and not a UUID. */
function idempotencyKey(c: AppContext): string | null {
  const header = c.req.header(IDEMPOTENCY_HEADER);
  if (header === undefined) return null;
  if (isUuid(header)) return header;
  throw fieldError(IDEMPOTENCY_HEADER, `${IDEMPOTENCY_HEADER} must be one UUID.`);
}
