import { AppError } from '../app-error.ts';
import type { ClientLimits } from '../client-limits.ts';

/** Who signs in from where. */
interface SignInFrom {
  email: string;
  client: string;
  /** A name for the device with this account, where its owner has signed in before. */
  device: string | null;
  /** Whether nobody waits for the answer any more. */
  isGone: () => boolean;
}

/** Who has tried as often as this in an hour is one of the last in line. */
const LAST_LINE = 3;
/** How much later the next line takes its turn, so that those before it are first on every server. */
const YIELD_MS = 200;
/** Nobody waits longer for a turn, in line and for the pace. Then the answer is that too many wait. */
const WAIT_MAX_MS = 8_000;

/**
 * Runs a sign-in when it is its turn. Where the owner of an account has signed in before, nobody
 * waits for others. All others stand in line, and those who have tried before let those go first who
 * have not: guesses from many addresses take their time, and hold up nobody who knows the password.
 * @throws RATE_LIMITED, and BUSY when too many wait
 */
export async function inSignInTurn<T>(
  limits: ClientLimits,
  from: SignInFrom,
  signIn: () => Promise<T>,
): Promise<T> {
  try {
    const { device } = from;
    if (device && (await limits.tryTake('signInByDevice', device)).isWithin) {
      const result = await limits.inTurn('signIn', device, signIn);
      await limits.giveBack('signInByDevice', device, 'all');
      return result;
    }
    return await asStranger(limits, from, signIn);
  } catch (error) {
    throw error instanceof AppError ? withAnotherWay(error) : error;
  }
}

async function asStranger<T>(
  limits: ClientLimits,
  { email, client, isGone }: SignInFrom,
  signIn: () => Promise<T>,
): Promise<T> {
  // By address alone, against one password tried on many accounts; and by account and address
  // together, so that nobody can lock another person out from elsewhere.
  await limits.take('signInByClient', client);
  const attempt = `${email} ${client}`;
  await limits.take('signIn', attempt);
  const { before } = await limits.tryTake('signInTried', attempt);
  const line = Math.min(before, LAST_LINE);
  const until = performance.now() + WAIT_MAX_MS;
  const isLate = (waitMs = 0) => isGone() || performance.now() + waitMs > until;
  const result = await limits.inTurn('signIn', `${email} ${line}`, async () => {
    await waitForPace(limits, email, { line, isLate });
    return signIn();
  });
  await limits.giveBack('signIn', attempt, 'all');
  await limits.giveBack('signInTried', attempt, 'all');
  return result;
}

/**
 * After so many in an hour, sign-ins of strangers to one account begin one after another, at a pace.
 * Those who try for the first time have more of their own: they are the ones who may be the owner.
 */
async function waitForPace(
  limits: ClientLimits,
  email: string,
  { line, isLate }: { line: number; isLate: (waitMs?: number) => boolean },
): Promise<void> {
  const free = line === 0 ? 'signInFirst' : 'signInAgain';
  if (!isLate() && (await limits.tryTake(free, email)).isWithin) return;
  while (!isLate()) {
    const { waitMs: untilNextMs } = await limits.tryTake('signInPace', email);
    if (untilNextMs === 0) return;
    const waitMs = untilNextMs + line * YIELD_MS;
    if (isLate(waitMs)) break;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  throw new AppError('BUSY', { retryAfter: 5 });
}

/** Says how the owner gets in meanwhile. The same for every address, whether it has an account. */
function withAnotherWay(error: AppError): AppError {
  if (error.code !== 'BUSY' && error.code !== 'RATE_LIMITED') return error;
  const message = `${error.message} Or choose “Forgot password?”, and we'll email you a link.`;
  return new AppError(error.code, { ...error.details, message });
}
