import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { firstOf } from '../../tests/support/rare.ts';
import { AppError } from '../app-error.ts';
import { createClientLimits } from '../client-limits.ts';
import { inSignInTurn } from './sign-in-turn.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** One account with its limits, and when somebody guessed at its password. */
function account() {
  const limits = createClientLimits({ rateLimits: true }, null);
  const guesses: number[] = [];
  const of = { email: 'ada@example.org', device: null, isGone: () => false };
  const signIn = (client: string, isRight: boolean) =>
    inSignInTurn(limits, { ...of, client }, async () => {
      if (!isRight) guesses.push(Date.now());
      await wait(30);
      if (!isRight) throw new AppError('INVALID_CREDENTIALS');
    });
  /** Guesses again as soon as it is answered and may, after this pause. */
  const guessUntil = async (end: number, client: string, pauseMs = 0) => {
    while (Date.now() < end) {
      const error: AppError = await signIn(client, false).catch((error) => error);
      await wait((error.details.retryAfter ?? 0) * 1000 + pauseMs);
    }
  };
  return { guesses, signIn, guessUntil };
}

/** The most that lie within one hour, whenever it begins. */
function mostInAnHour(times: number[]): number {
  const within = (from: number) => times.filter((at) => at >= from && at < from + HOUR_MS).length;
  return Math.max(...times.map(within));
}

it.each(
  firstOf([
    [12, 0],
    [60, 1],
  ]),
)(
  '%i addresses that guess without end make fewer than 1,500 guesses an hour, and the owner signs in from a new one within ten seconds',
  async (addresses, pauseMinutes) => {
    const { guesses, signIn, guessUntil } = account();
    const end = Date.now() + 1.5 * HOUR_MS;
    for (let index = 0; index < addresses; index += 1) {
      // They begin one after another, as those who keep the newest for later would.
      const begins = wait((index * HOUR_MS) / addresses);
      void begins.then(() => guessUntil(end, `guesser ${index}`, pauseMinutes * MINUTE_MS));
    }
    const waits: number[] = [];
    const owner = async () => {
      for (let time = 0; time < 16; time += 1) {
        await wait(5 * MINUTE_MS);
        const began = Date.now();
        await signIn(`hotel ${time}`, true);
        waits.push(Date.now() - began);
      }
    };
    const signedIn = owner();
    await vi.advanceTimersByTimeAsync(end - Date.now() + MINUTE_MS);
    await signedIn;
    expect(waits).toHaveLength(16);
    expect(Math.max(...waits)).toBeLessThan(10_000);
    const most = mostInAnHour(guesses);
    expect(most).toBeGreaterThan(500);
    expect(most).toBeLessThan(1_500);
  },
  60_000,
);

it('whoever has mistyped twice still goes before those who guess on', async () => {
  const { signIn, guessUntil } = account();
  const end = Date.now() + HOUR_MS;
  for (let index = 0; index < 12; index += 1) void guessUntil(end, `guesser ${index}`);
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
  const began = Date.now();
  const waited = Promise.resolve()
    .then(() => signIn('hotel', false).catch(() => {}))
    .then(() => signIn('hotel', false).catch(() => {}))
    .then(() => signIn('hotel', true))
    .then(() => Date.now() - began);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(await waited).toBeLessThan(3 * 10_000);
});

it('every answer comes within ten seconds, however many stand in line', async () => {
  const { signIn } = account();
  const took: number[] = [];
  const guess = async (client: string) => {
    const began = Date.now();
    await signIn(client, false).catch(() => {});
    took.push(Date.now() - began);
  };
  const all = async () => {
    // These use up what goes without the pace.
    for (let index = 0; index < 101; index += 1) await guess(`early ${index}`);
    await Promise.all(Array.from({ length: 16 }, (_, index) => guess(`late ${index}`)));
  };
  const done = all();
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
  await done;
  expect(took).toHaveLength(117);
  expect(Math.max(...took)).toBeLessThan(10_000);
});
