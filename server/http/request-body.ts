import type { IncomingMessage } from 'node:http';
import { AppError } from '../app-error.ts';

/** Bodies are read in pieces of this size. Node's 64 KiB would quadruple the work around each. */
export const PIECE_BYTES = 262_144;

/** A client that sends nothing for this long has stopped, in milliseconds. */
const IDLE_MS = 60_000;

/**
 * While we wait for it, a client must send this much in the same time. A telephone line of 1995 is
 * twenty times as fast; a client that drips bytes only means to occupy the server.
 */
const IDLE_BYTES = 8_192;

export interface BodyRules {
  maxBytes: number;
  /** How long a client may send nothing, or next to nothing, in milliseconds. */
  idleMs?: number | undefined;
  /** How long the client may be waited for in all, in milliseconds; absent: as long as it keeps sending. */
  waitMaxMs?: number;
  tooLarge?: () => AppError;
  /** The client went away before the end. */
  cutOff?: () => AppError;
}

export interface RequestBody extends AsyncIterableIterator<Buffer> {
  /** Stops reading at once, even while waiting for a piece. The rest stays unread. */
  return(): Promise<IteratorResult<Buffer>>;
}

const EVENTS = ['readable', 'end', 'close'];
const DONE = { done: true, value: undefined } as const;

/**
 * The body piece by piece, read from the connection only when a piece is pulled, so that a client
 * waiting for us does not count as idle. After an error the rest stays unread: answer with
 * `refuseRest`.
 * @throws PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, MALFORMED_BODY when the client went away
 */
export function requestBody(incoming: IncomingMessage, rules: BodyRules): RequestBody {
  const { maxBytes, idleMs = IDLE_MS, waitMaxMs = Number.POSITIVE_INFINITY } = rules;
  const { tooLarge = () => new AppError('PAYLOAD_TOO_LARGE') } = rules;
  const { cutOff = () => new AppError('MALFORMED_BODY') } = rules;
  let received = 0;
  /** Time spent waiting for the client: a slow disk of ours does not count against it. */
  let waitedMs = 0;
  let period = { endsAtMs: idleMs, received: 0 };
  let isListening = false;
  let isStopped = false;
  let wake = () => {};
  const onChange = () => wake();

  function listen(): void {
    isListening = true;
    if (Number(incoming.headers['content-length']) > maxBytes) throw stop(tooLarge());
    for (const event of EVENTS) incoming.on(event, onChange);
    // Stays for good: a connection may break while the refusal is on its way.
    incoming.on('error', onChange);
  }

  function stop<Reason>(reason: Reason): Reason {
    isStopped = true;
    for (const event of EVENTS) incoming.off(event, onChange);
    wake();
    return reason;
  }

  /** @throws REQUEST_TIMEOUT when the client sends nothing, or too slowly */
  async function change(): Promise<void> {
    const started = performance.now();
    const isWoken = await new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), Math.min(idleMs, waitMaxMs - waitedMs));
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
    waitedMs += performance.now() - started;
    if (!isWoken || isTooSlow()) throw stop(new AppError('REQUEST_TIMEOUT'));
  }

  function isTooSlow(): boolean {
    if (waitedMs < period.endsAtMs) return false;
    const isSlow = received - period.received < IDLE_BYTES;
    period = { endsAtMs: waitedMs + idleMs, received };
    return isSlow;
  }

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (!isListening && !isStopped) listen();
      while (!isStopped) {
        const piece: Buffer | null = incoming.read();
        if (piece) {
          received += piece.length;
          if (received > maxBytes) throw stop(tooLarge());
          return { done: false, value: piece };
        }
        if (incoming.readableEnded) return stop(DONE);
        if (incoming.destroyed) throw stop(cutOff());
        await change();
      }
      return DONE;
    },
    async return() {
      return stop(DONE);
    },
  };
}

/** The whole body. @throws as `requestBody` */
export async function readWhole(incoming: IncomingMessage, rules: BodyRules): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of requestBody(incoming, rules)) pieces.push(piece);
  return Buffer.concat(pieces);
}
