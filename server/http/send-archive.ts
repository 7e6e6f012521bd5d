import type { Readable } from 'node:stream';
import type { Deps } from '../deps.ts';
import type { AppContext } from './context.ts';
import { untilSent } from './until-sent.ts';
import { toWeb } from './web-stream.ts';

interface Archive {
  disposition: string;
  /** Begins to pack it, once it is its person's turn. */
  read: () => Readable | Promise<Readable>;
}

/** Sends a ZIP while it is packed, one at a time to each person. @throws RATE_LIMITED, BUSY */
export async function sendArchive(
  c: AppContext,
  { log }: Pick<Deps, 'log'>,
  { userId }: { userId: string },
  { disposition, read }: Archive,
): Promise<Response> {
  const headers = { 'Content-Type': 'application/zip', 'Content-Disposition': disposition };
  // Nobody would read an archive to its end, and its files would stay open.
  if (c.req.method === 'HEAD') return c.body(null, 200, headers);
  await c.get('limits').take('export', userId);
  return untilSent(c, 'export', userId, async () => {
    const body = toWeb(c, await read(), (error) => {
      log.error({ requestId: c.get('requestId'), err: error }, 'An export broke off.');
    });
    return c.body(body, 200, headers);
  });
}
