import { buffer } from 'node:stream/consumers';
import { AppError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import type { App } from '../../http/context.ts';
import { isUuid } from '../../ids.ts';

/** Avatars, and nothing else: the address names a picture, so no capsule's file can be asked for here. */
export function avatarRoutes(app: App, { files }: Pick<Deps, 'files'>): void {
  app.get('/uploads/avatars/:id', async (c) => {
    const id = c.req.param('id');
    const found = isUuid(id) ? await files.read(`avatars/${id}`) : null;
    if (!found) throw new AppError('NOT_FOUND');
    // Re-encoded to a few kilobytes when it was uploaded.
    return c.body(new Uint8Array(await buffer(found.stream)), 200, {
      'Content-Type': 'image/webp',
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
  });
}
