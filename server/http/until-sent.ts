import { once } from 'node:events';
import type { WorkName } from './client-limits.ts';
import type { AppContext } from './context.ts';

/** A client that reads nothing for this long is gone, or means to occupy the server. */
const STALL_MS = 60_000;

/**
 * Answers when it is this key's turn. The turn lasts until the answer has been sent, or its client
 * is gone or has stopped reading. @throws BUSY, and what `answer` throws
 */
export function untilSent(
  c: AppContext,
  name: WorkName,
  key: string,
  answer: () => Promise<Response>,
  { stallMs = STALL_MS } = {},
): Promise<Response> {
  const { outgoing } = c.env;
  return new Promise((resolve, reject) => {
    const work = async () => {
      resolve(await answer());
      const { socket } = outgoing;
      outgoing.setTimeout(stallMs, () => {
        // Otherwise the answer waits for us, not for its reader.
        if (socket && socket.writableLength > 0) socket.destroy();
      });
      if (!outgoing.closed) await once(outgoing, 'close');
    };
    c.get('limits').inTurn(name, key, work).catch(reject);
  });
}
