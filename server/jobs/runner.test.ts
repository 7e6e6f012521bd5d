import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startJob } from './runner.ts';

const log = pino({ level: 'silent' });
const INTERVAL_MS = 1_000;

/** A job whose passes end when the test says so. */
function slowJob() {
  const passes: { end: () => void; fail: (error: Error) => void; signal: AbortSignal }[] = [];
  return {
    passes,
    name: 'slow',
    intervalMs: INTERVAL_MS,
    run: (signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        passes.push({ end: resolve, fail: reject, signal });
      }),
  };
}

/** Lets everything that is not waiting for a timer come to rest. */
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('startJob', () => {
  it('runs at once, and again an interval after the pass has ended', async () => {
    const job = slowJob();
    const running = startJob({ log }, job);
    expect(job.passes).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS);
    expect(job.passes).toHaveLength(1);
    job.passes[0]?.end();
    await vi.advanceTimersByTimeAsync(INTERVAL_MS - 1);
    expect(job.passes).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(job.passes).toHaveLength(2);
    job.passes[1]?.end();
    await running.stop();
  });

  it('runs at once when woken while it rests', async () => {
    const job = slowJob();
    const running = startJob({ log }, job);
    job.passes[0]?.end();
    await settle();
    running.wake();
    await settle();
    expect(job.passes).toHaveLength(2);
    job.passes[1]?.end();
    await running.stop();
  });

  it('makes one more pass, and no second one beside it, when woken during a pass', async () => {
    const job = slowJob();
    const running = startJob({ log }, job);
    running.wake();
    running.wake();
    await settle();
    expect(job.passes).toHaveLength(1);
    job.passes[0]?.end();
    await settle();
    expect(job.passes).toHaveLength(2);
    job.passes[1]?.end();
    await settle();
    expect(job.passes).toHaveLength(2);
    await running.stop();
  });

  it('goes on after a pass that failed', async () => {
    const job = slowJob();
    const running = startJob({ log }, job);
    job.passes[0]?.fail(new Error('the database is away'));
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(job.passes).toHaveLength(2);
    job.passes[1]?.end();
    await running.stop();
  });

  it('stops at the end of the pass under way, and says so to it', async () => {
    const job = slowJob();
    const running = startJob({ log }, job);
    let stopped = false;
    const stopping = running.stop().then(() => {
      stopped = true;
    });
    await settle();
    expect(stopped).toBe(false);
    expect(job.passes[0]?.signal.aborted).toBe(true);
    job.passes[0]?.end();
    await stopping;
    await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS);
    expect(job.passes).toHaveLength(1);
  });

  it('stops at once while it rests, and is not woken again', async () => {
    const job = slowJob();
    const running = startJob({ log }, job);
    job.passes[0]?.end();
    await settle();
    await running.stop();
    running.wake();
    await settle();
    expect(job.passes).toHaveLength(1);
  });
});
