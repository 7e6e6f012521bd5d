import { AppError } from '../app-error.ts';
import type { Deps } from '../deps.ts';
import { describeError } from '../describe-error.ts';

/*
 * What goes wrong with the identity provider: two answers for people, and for the operator what the
 * provider has said, or which claim was other than expected.
 */

/** Something that the provider says and that can't be so. */
export class ClaimError extends Error {
  readonly said: { claim: string; expected: unknown; found: unknown };
  constructor(message: string, said: ClaimError['said']) {
    super(message);
    this.said = said;
  }
}

/** The library's errors are about protocols. What they say goes into the log. */
export async function inOurWords<Result>(
  { log }: Pick<Deps, 'log'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof Error && 'code' in error && error.code === SENT_BACK) {
      log.info({ provider: saidIn(error) }, 'The identity provider has sent somebody back.');
      throw new AppError('PROVIDER_REFUSED', { cause: error });
    }
    const isAway = isOutage(error);
    log.warn(
      { error: describeError(error), provider: saidIn(error) },
      isAway ? 'The identity provider does not answer.' : 'The identity provider was not believed.',
    );
    throw new AppError(isAway ? 'PROVIDER_AWAY' : 'PROVIDER_REFUSED', { cause: error });
  }
}

/** With an error in the address: the person has cancelled, or the provider has something against it. */
const SENT_BACK = 'OAUTH_AUTHORIZATION_RESPONSE_ERROR';
/** No answer in time, or one that is no answer of a provider, as of a proxy before it. */
const OUTAGES = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];

function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Of `fetch`, with the failure of the network in it.
  if (error instanceof TypeError) return error.cause !== undefined;
  return 'code' in error && OUTAGES.includes(String(error.code));
}

/** What is logged of an error: no token, no code, and of the claims that one alone. */
function saidIn(error: unknown) {
  if (error instanceof ClaimError) return compared(error.said.claim, error.said);
  if (!(error instanceof Error)) return undefined;
  const { error: name, error_description: description, status } = error as Partial<ProtocolError>;
  if (name !== undefined || status !== undefined) {
    return {
      ...(name !== undefined && { error: short(name) }),
      ...(description !== undefined && { description: short(description) }),
      ...(status !== undefined && { status }),
    };
  }
  const { cause } = error;
  // The library wraps its own errors once, and says in the inner one's cause what it has compared.
  const facts = (cause instanceof Error ? cause.cause : cause) as Partial<Facts> | undefined;
  if (typeof facts !== 'object' || facts === null) return undefined;
  const { expected, claims, body, now, tolerance, claim, attribute } = facts;
  const text = cause instanceof Error ? cause.message : error.message;
  const what = claim ?? attribute ?? /"(\w+)"/.exec(text)?.[1];
  const all = claims ?? body;
  if (!what || !all) return undefined;
  const byClock = now === undefined ? 'a value' : `by a clock that says ${now} ± ${tolerance} s`;
  return compared(what, { expected: expected ?? byClock, found: all[what] });
}

interface ProtocolError {
  error: string;
  error_description: string;
  status: number;
}

interface Facts {
  expected: unknown;
  claims: Record<string, unknown>;
  body: Record<string, unknown>;
  claim: string;
  attribute: string;
  now: number;
  tolerance: number;
}

function compared(claim: string, { expected, found }: { expected: unknown; found: unknown }) {
  return { claim: short(claim), expected: short(expected), found: short(found ?? 'nothing') };
}

/** For one line: it may come from the address of a page, which anybody writes. */
function short(text: unknown): string {
  const said = typeof text === 'string' ? text : JSON.stringify(text);
  return said.slice(0, 200).replaceAll(/\p{C}/gu, '�');
}
