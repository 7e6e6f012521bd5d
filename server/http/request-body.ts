import type { IncomingMessage } from 'node:http';
import { AppError } from '../app-error.ts';

/** A client that sends nothing for this long has stopped, in milliseconds. */
const IDLE_MS = 60_000;

export interface BodyRules {
  maxBytes: number;
  idleMs?: number | undefined;
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
  const { maxBytes, idleMs = IDLE_MS } = rules;
  const { tooLarge = () => new AppError('PAYLOAD_TOO_LARGE') } = rules;
  const { cutOff = () => new AppError('MALFORMED_BODY') } = rules;
  let received = 0;
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

  /** @returns whether the connection did anything in time */
  function change(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), idleMs);
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
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
        if (!(await change())) throw stop(new AppError('REQUEST_TIMEOUT'));
      }
      return DONE;
    },
    async return() {
      return stop(DONE);
    },
  };
}

/** The whole body. @throws as `requestBody` */
export async function readWhole(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of requestBody(incoming, { maxBytes })) pieces.push(piece);
  return Buffer.concat(pieces);
}
