import * as endpoints from '../../../shared/api/drafts.ts';
import type { Deps } from '../../deps.ts';
import { deviceWords } from '../../domain/doors/device-words.ts';
import { checkNoMaintenance } from '../../domain/doors/maintenance.ts';
import {
  discardDraft,
  findDraftFile,
  listDrafts,
  saveDraft,
  setDraftChoice,
} from '../../domain/drafts/drafts.ts';
import { withRoom } from '../../domain/storage/storage-limit.ts';
import type { App, AppContext } from '../../http/context.ts';
import { route } from '../../http/route.ts';
import { createStoredFiles } from '../../http/send-file.ts';
import { requireActor } from '../../http/session.ts';
import { untilSent } from '../../http/until-sent.ts';

export function draftRoutes(app: App, deps: Deps): void {
  const stored = createStoredFiles(deps);
  const writtenOn = (c: AppContext) => deviceWords(c.req.header('user-agent'));

  route(app, endpoints.listDrafts, async ({ c, actor, query }) => {
    const read = () => listDrafts(deps, actor, query.since);
    return c.get('limits').inTurn('draftList', actor.userId, read);
  });

  route(app, endpoints.saveAccountDraft, async ({ c, actor, params, body }) => {
    await checkNoMaintenance(deps);
    const save = () => saveDraft(deps, actor, { ...params, ...body, writtenOn: writtenOn(c) });
    return withRoom(deps, actor, save);
  });

  route(app, endpoints.discardAccountDraft, async ({ c, actor, params, query }) => {
    await discardDraft(deps, actor, { ...params, ...query, writtenOn: writtenOn(c) });
    return { message: 'The draft has been discarded.' };
  });

  app.get(endpoints.downloadDraftFile.path, async (c) => {
    const actor = await requireActor(c);
    const name = { id: c.req.param('id') ?? '', fileId: c.req.param('fileId') ?? '' };
    const file = await findDraftFile(deps, actor, name);
    const send = () =>
      stored.send(c, { ...file, disposition: 'attachment', cacheControl: 'private, no-store' });
    return untilSent(c, 'download', actor.userId, send);
  });

  route(app, endpoints.setDraftChoice, async ({ actor, body }) => {
    await setDraftChoice(deps, actor, body.onlyOnDevice);
    return {
      message: body.onlyOnDevice
        ? 'New drafts stay on the device that begins them.'
        : 'New drafts are saved to your account.',
    };
  });
}
