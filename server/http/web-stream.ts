import type { Readable } from 'node:stream';

/** Passes on one piece at a time: the buffer of `Readable.toWeb` is counted in pieces, so it could grow to gigabytes. */
export function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        stream.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
