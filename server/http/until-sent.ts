import { once } from 'node:events';
import type { WorkName } from '../client-limits.ts';
import type { AppContext } from './context.ts';

/**
 * Answers when it is this key's turn. The turn lasts until the answer has been sent, or its
 * connection has ended. @throws BUSY, and what `answer` throws
 */
export function untilSent(
  c: AppContext,
  name: WorkName,
  key: string,
  answer: () => Promise<Response>,
): Promise<Response> {
  const { outgoing } = c.env;
  return new Promise((resolve, reject) => {
    const work = async () => {
      resolve(await answer());
      if (!outgoing.closed) await once(outgoing, 'close');
    };
    c.get('limits').inTurn(name, key, work).catch(reject);
  });
}
