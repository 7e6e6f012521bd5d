import type { IncomingMessage } from 'node:http';
import { AppError } from '../app-error.ts';

/** A client that sends nothing for this long has stopped, in milliseconds. */
const IDLE_MS = 60_000;

/**
 * The whole body, read straight from the connection: a web stream in between would cost more
 * than what is done with it. After a rejection the rest stays unread.
 * @throws AppError PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, MALFORMED_BODY when the client went away
 */
export function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(incoming.headers['content-length']) > maxBytes) {
    return Promise.reject(new AppError('PAYLOAD_TOO_LARGE'));
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const idle = setTimeout(() => finish(new AppError('REQUEST_TIMEOUT')), IDLE_MS);

    function finish(error?: AppError): void {
      clearTimeout(idle);
      incoming.off('data', onData).off('end', onEnd).off('close', onGone);
      if (error) {
        incoming.pause();
        reject(error);
      } else {
        resolve(Buffer.concat(chunks, bytes));
      }
    }
    function onData(chunk: Buffer): void {
      idle.refresh();
      bytes += chunk.length;
      if (bytes > maxBytes) finish(new AppError('PAYLOAD_TOO_LARGE'));
      else chunks.push(chunk);
    }
    const onEnd = () => finish();
    const onGone = () => finish(new AppError('MALFORMED_BODY'));
    incoming.on('data', onData).once('end', onEnd).once('close', onGone);
    // The listener stays: a connection may break while the refusal is on its way.
    incoming.on('error', () => finish(new AppError('MALFORMED_BODY')));
    // Gone before anybody listened: that is told once only.
    if (incoming.destroyed) onGone();
  });
}
