import type { Readable } from 'node:stream';

/** One piece at a time. `Readable.toWeb` would count its buffer in pieces and take in a million of them. */
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
