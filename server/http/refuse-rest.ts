import type { IncomingMessage, ServerResponse } from 'node:http';

/** As nginx does by default (lingering_time, lingering_timeout). */
const LINGER_MS = 30_000;
const SILENCE_MS = 5_000;

/**
 * Call before answering a request whose body was not read to its end. The answer is sent at once
 * with `Connection: close`, and the rest of the body is discarded for a while. Otherwise the
 * system resets the connection, and a browser shows a network error instead of the answer. Does
 * nothing if the whole body has arrived.
 */
export function refuseRest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { lingerMs = LINGER_MS, silenceMs = SILENCE_MS } = {},
): void {
  const { socket } = incoming;
  if (incoming.complete || socket.destroyed) return;
  if (!outgoing.headersSent) outgoing.setHeader('Connection', 'close');

  let lingering = false;
  // Node, and the adapter, call this once the answer is written, and mean "close now".
  socket.destroySoon = () => {
    if (lingering) return;
    lingering = true;
    socket.end();
    const total = setTimeout(() => socket.destroy(), lingerMs);
    const silence = setTimeout(() => socket.destroy(), silenceMs);
    incoming.on('data', () => silence.refresh());
    incoming.once('end', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(total);
      clearTimeout(silence);
    });
    incoming.resume();
  };
}
