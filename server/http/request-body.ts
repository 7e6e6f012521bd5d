import type { IncomingMessage } from 'node:http';
import { AppError } from '../app-error.ts';
import type { BodyPlace } from './body-room.ts';
import { networkOf } from './client-address.ts';
import type { AppContext } from './context.ts';

/** Bodies are read in pieces of this size. Node's 64 KiB would quadruple the work around each. */
export const PIECE_BYTES = 262_144;

/** Of a body that nobody reads yet, Node takes no more than this, and what came along with it. */
export const UNREAD_BYTES = 16_384;

/** A client that sends nothing for this long has stopped, in milliseconds. */
const IDLE_MS = 60_000;

/**
 * While we wait for it, a client must send this much in the same time. A telephone line of 1995 is
 * twenty times as fast; a client that drips bytes only means to occupy the server.
 */
const IDLE_BYTES = 8_192;

/** What each body must bring in so many milliseconds of waiting for it, where others need its place. */
const CROWDED_MS = 10_000;
/** Half of what the slowest mobile lines send. */
const CROWDED_BYTES = 81_920;

/** A piece that is kept is an object of its own, however small. */
const PIECE_COST = 256;

export interface BodyRules {
  maxBytes: number;
  /** For a body that is kept in memory: enters it where all of them have a bound. */
  room?: ((refuse: (reason: AppError) => void) => BodyPlace | undefined) | undefined;
  /** Whether so many bodies are arriving that a slow one has to give its place away. */
  isCrowded?: (() => boolean) | undefined;
  crowdedMs?: number | undefined;
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

/** Timers may fire so much too early. */
const TIMER_MS = 2;

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
  const { isCrowded, crowdedMs = CROWDED_MS } = rules;
  const { tooLarge = () => new AppError('PAYLOAD_TOO_LARGE') } = rules;
  const { cutOff = () => new AppError('MALFORMED_BODY') } = rules;
  const isIdle = createPace(idleMs, IDLE_BYTES);
  const isSlow = createPace(crowdedMs, CROWDED_BYTES);
  let received = 0;
  /** Time spent waiting for the client: a slow disk of ours does not count against it. */
  let waitedMs = 0;
  let isListening = false;
  let isStopped = false;
  let refusal = null as AppError | null;
  let place: BodyPlace | undefined;
  let wake = () => {};
  const onChange = () => wake();

  function listen(): void {
    isListening = true;
    if (Number(incoming.headers['content-length']) > maxBytes) throw stop(tooLarge());
    for (const event of EVENTS) incoming.on(event, onChange);
    // Stays for good: a connection may break while the refusal is on its way.
    incoming.on('error', onChange);
    place = rules.room?.((reason) => {
      refusal = stop(reason);
    });
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
    const mayWaitMs = Math.min(idleMs, waitMaxMs - waitedMs);
    const isWoken = await new Promise((resolve) => {
      const timer = setTimeout(
        () => resolve(false),
        Math.min(mayWaitMs, isCrowded ? crowdedMs : mayWaitMs),
      );
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
    const waitedNowMs = performance.now() - started;
    waitedMs += waitedNowMs;
    const isOver = !isWoken && waitedNowMs >= mayWaitMs - TIMER_MS;
    const isInTheWay = isSlow(waitedMs, received) && isCrowded?.() === true;
    if (isOver || isIdle(waitedMs, received) || isInTheWay) {
      throw stop(new AppError('REQUEST_TIMEOUT'));
    }
  }

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (!isListening && !isStopped) listen();
      while (!isStopped) {
        // Asked for so much, Node takes so much ahead. What has come is less, at most times.
        const piece: Buffer | null = incoming.read(PIECE_BYTES) ?? incoming.read();
        if (piece) {
          place?.take(Math.max(piece.length, PIECE_COST));
          received += piece.length;
          if (received > maxBytes) throw stop(tooLarge());
          // It may be this one that has had to give way.
          if (refusal) throw refusal;
          return { done: false, value: piece };
        }
        if (incoming.readableEnded) {
          place?.arrived();
          return stop(DONE);
        }
        if (incoming.destroyed) throw stop(cutOff());
        await change();
      }
      if (refusal) throw refusal;
      return DONE;
    },
    async return() {
      return stop(DONE);
    },
  };
}

/** Whether less than so many bytes have come in each so many milliseconds of waiting. */
function createPace(everyMs: number, bytes: number) {
  let period = { endsAtMs: everyMs, received: 0 };
  return (waitedMs: number, received: number): boolean => {
    if (waitedMs < period.endsAtMs) return false;
    const isBelow = received - period.received < bytes;
    period = { endsAtMs: waitedMs + everyMs, received };
    return isBelow;
  };
}

/** The whole body. @throws as `requestBody` */
export async function readWhole(incoming: IncomingMessage, rules: BodyRules): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of requestBody(incoming, rules)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The whole body of a call, in the turn of its client and of its network. @throws also BUSY */
export function readBody(c: AppContext, rules: BodyRules): Promise<Buffer> {
  const client = c.get('client');
  const limits = c.get('limits');
  const read = () => readWhole(c.env.incoming, { ...rules, room: roomOf(c) });
  const ofNetwork = () => limits.inTurn('networkBody', networkOf(client), read);
  return limits.inTurn('body', client, ofNetwork);
}

/** How a body of this call comes into the room of all, until the call has been worked on. */
export function roomOf(c: AppContext) {
  return (refuse: (reason: AppError) => void): BodyPlace => {
    const busy = () => refuse(new AppError('BUSY', { retryAfter: 5 }));
    return c.get('bodies').enter(networkOf(c.get('client')), busy);
  };
}
