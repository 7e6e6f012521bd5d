import { buffer } from 'node:stream/consumers';
import { deleteAccount as deleteAccountEndpoint } from '../../../shared/api/delete-account.ts';
import * as endpoints from '../../../shared/api/user.ts';
import { dayAt } from '../../../shared/day.ts';
import { XSRF_HEADER } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import { deleteAccount } from '../../domain/accounts/delete-account.ts';
import { searchRecipients } from '../../domain/accounts/people.ts';
import { getCurrentUser, replaceAvatar, updateProfile } from '../../domain/accounts/profile.ts';
import { exportAccount } from '../../domain/export/export.ts';
import type { App } from '../../http/context.ts';
import { readParts } from '../../http/multipart.ts';
import { roomOf } from '../../http/request-body.ts';
import { route } from '../../http/route.ts';
import { sendArchive } from '../../http/send-archive.ts';
import { requireActor, signOut } from '../../http/session.ts';
import { xsrfToken } from '../../http/xsrf.ts';

export function userRoutes(app: App, deps: Deps): void {
  route(app, endpoints.getMe, async ({ c, actor }) => {
    // A service worker cannot read cookies; the token comes to it in a header.
    c.header(XSRF_HEADER, xsrfToken(c.get('binding')));
    return getCurrentUser(deps, actor);
  });

  route(app, endpoints.searchRecipient, async ({ c, actor, query }) => {
    await c.get('limits').take('search', actor.userId);
    return searchRecipients(deps, actor, query.query);
  });

  route(app, endpoints.updateProfile, async ({ actor, body }) => updateProfile(deps, actor, body));

  route(app, endpoints.updateProfilePhoto, async ({ c, actor }) => {
    await c.get('limits').take('avatar', actor.userId);
    const upload = await c.get('limits').inTurn('upload', actor.userId, async () => {
      let bytes: Buffer | undefined;
      const rules = { limits: AVATAR_LIMITS, room: roomOf(c), keepsFiles: true };
      for await (const part of readParts(c.env.incoming, rules)) {
        if ('file' in part) bytes = await buffer(part.file.stream);
      }
      return bytes;
    });
    if (!upload) {
      throw new AppError('VALIDATION_FAILED', { message: endpoints.avatarTexts.notAnImage });
    }
    const replace = () => replaceAvatar(deps, actor, upload);
    const { avatar } = await c.get('limits').inTurn('avatar', actor.userId, replace);
    return { avatar };
  });

  route(app, deleteAccountEndpoint, async ({ c, actor, body }) => {
    await deleteAccount(deps, actor, body);
    await signOut(c, deps);
    return { message: 'Your account has been deleted.' };
  });

  app.get(endpoints.exportAccount.path, async (c) => {
    const actor = await requireActor(c);
    return sendArchive(c, deps, actor, {
      disposition: `attachment; filename="time-capsule-${dayAt(deps.clock.now(), 'UTC')}.zip"`,
      read: () => exportAccount(deps, actor),
    });
  });
}

const AVATAR_LIMITS = {
  // "Less than 5 MB": exactly 5 MB is too much.
  fileBytes: endpoints.avatarTexts.maxBytes - 1,
  totalBytes: endpoints.avatarTexts.maxBytes - 1,
  files: 1,
  jsonBytes: 0,
  tooLargeText: endpoints.avatarTexts.tooLarge,
};
