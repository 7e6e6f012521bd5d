import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { AppError } from '../app-error.ts';
import { malformed } from './multipart-limits.ts';

export interface Feed {
  /** Reads no more from the client until `release`. */
  hold(): void;
  release(): void;
  /** For good. What the client still sends is left to the caller. */
  stop(): void;
}

interface FeedRules {
  /** Hears how many bytes the body has so far. */
  onBytes: (received: number) => void;
  /** A client that sends nothing for this long has stopped; one that is kept waiting by us has not. */
  idleMs: number;
  /** The body cannot be read to its end. */
  fail: (error: AppError) => void;
}

/** Passes the body on to `parser` at the parser's pace. */
export function feed(incoming: IncomingMessage, parser: Writable, rules: FeedRules): Feed {
  let received = 0;
  let held = false;
  let parserFull = false;
  const idle = setTimeout(onIdle, rules.idleMs);

  function onIdle(): void {
    if (held || parserFull) idle.refresh();
    else rules.fail(new AppError('REQUEST_TIMEOUT'));
  }
  function onData(chunk: Buffer): void {
    idle.refresh();
    received += chunk.length;
    rules.onBytes(received);
    parserFull = !parser.write(chunk);
    if (parserFull || held) incoming.pause();
  }
  function onDrain(): void {
    parserFull = false;
    goOn();
  }
  function goOn(): void {
    if (held || parserFull) return;
    idle.refresh();
    incoming.resume();
  }
  function onEnd(): void {
    clearTimeout(idle);
    parser.end();
  }
  function onGone(cause?: unknown): void {
    if (!incoming.readableEnded) rules.fail(malformed(cause));
  }

  parser.on('drain', onDrain);
  incoming.on('data', onData).once('end', onEnd).once('close', onGone);
  incoming.on('error', onGone);
  // Gone before anybody listened: that is told once only.
  if (incoming.destroyed) process.nextTick(onGone);
  return {
    hold() {
      held = true;
      incoming.pause();
    },
    release() {
      held = false;
      goOn();
    },
    stop() {
      clearTimeout(idle);
      parser.off('drain', onDrain);
      // The listener for errors stays: a connection may break while the refusal is on its way.
      incoming.off('data', onData).off('end', onEnd).off('close', onGone).pause();
    },
  };
}
