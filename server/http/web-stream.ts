import type { Readable } from 'node:stream';
import type { AppContext } from './context.ts';

/**
 * The body of an answer. Passes on one piece at a time: the buffer of `Readable.toWeb` is counted in
 * pieces, so it could grow to gigabytes.
 * @param failed hears why `stream` failed. The status is sent by then, so that cutting the connection
 * is how the client learns that there is no rest.
 */
export function toWeb(
  { env: { outgoing } }: Pick<AppContext, 'env'>,
  stream: Readable,
  failed: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          // A client that has gone away ends the stream as well.
          if (outgoing.destroyed) return;
          failed(error);
          outgoing.destroy();
        }
      },
      cancel() {
        stream.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
