import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createFairLimiter } from '../../limiter.ts';

/**
 * All archives together are made piece by piece, in fair turns. One whose reader is slow has no turn
 * meanwhile, so that nobody with a slow line keeps others from their export.
 */
const making = createFairLimiter({
  atOnce: 1,
  waitingMax: Number.POSITIVE_INFINITY,
  waitMaxMs: 600_000,
});

/** After so much work there is a rest as long, which leaves half of a processor to everybody else. */
const WORK_MS = 4;
/** Waiting for a distant store is no work. */
const REST_MAX_MS = 20;

/** The pieces of one person's archive. */
export async function* inTurns(output: Readable, personId: string): AsyncGenerator<Buffer> {
  const pieces = output.iterator() as AsyncIterator<Buffer>;
  let workedMs = 0;
  const make = async () => {
    const started = performance.now();
    const piece = await pieces.next();
    workedMs += performance.now() - started;
    if (workedMs < WORK_MS) return piece;
    await delay(Math.min(workedMs, REST_MAX_MS));
    workedMs = 0;
    return piece;
  };
  for (;;) {
    const { value, done } = await making(personId, make);
    if (done) return;
    yield value;
  }
}
