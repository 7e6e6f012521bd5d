import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod/mini';
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from '../../shared/api/endpoint.ts';
import { AppError } from '../app-error.ts';
import type { ActorInSession } from '../auth/sessions.ts';
import { JsonText } from '../json-text.ts';
import type { App, AppContext } from './context.ts';
import { readBody } from './request-body.ts';
import { requireActor } from './session.ts';

/** Several times what the fields of any form can take, in the longest way to write them. */
const JSON_MAX_BYTES = 16_384;

/** How long a client may take to send a form, and a larger body. */
const JSON_MAX_MS = 30_000;
const LARGE_JSON_MAX_MS = 60_000;

/** As long as a body that is sent at once may be on its way. */
const REFUSED_MS = 1_000;

/** Deeper than any body of ours. Without a limit, a body of brackets alone keeps the parser busy for a second. */
const JSON_MAX_DEPTH = 16;

/** Ten times the values of any body of ours. The values of a list are checked before its length is. */
const JSON_MAX_VALUES = 1_000;
const LARGE_JSON_MAX_VALUES = 10_000;

// Fields without a text of their own get zod's English one. The client does not load these.
z.config(z.locales.en());

export interface Call<E> {
  c: AppContext;
  /** Null for calls that anyone may make. */
  actor: E extends { access: 'signed-in' } ? ActorInSession : null;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
}

/**
 * Registers an endpoint: checks the session, validates the input, runs the handler and sends its
 * result. A body is read before its turn comes, so that no slow one holds a place that others need.
 * @param mayCall looks at who calls before the body is read. What it returns refuses a body that has
 * not come already, so that only who may call is waited for.
 */
export function route<E extends Endpoint>(
  app: App,
  endpoint: E,
  handler: (call: Call<E>) => Promise<ResponseOf<E> | JsonText<ResponseOf<E>>>,
  mayCall?: (call: Omit<Call<E>, 'body'>) => Promise<AppError | null>,
): void {
  app.on(endpoint.method, endpoint.path, async (c) => {
    const limits = c.get('limits');
    const actor = endpoint.access === 'signed-in' ? await requireActor(c) : null;
    if (!actor && endpoint.body) await limits.take('visitorBody', c.get('client'));
    const params = parse(endpoint.params, c.req.param());
    const query = parse(endpoint.query, c.req.query());
    const { body: schema, jsonMaxBytes } = endpoint;
    const hasBody = schema && !endpoint.multipart && !isLeftOut(schema, c);
    if (jsonMaxBytes) await limits.take('largeBody', actor?.userId ?? c.get('client'));
    const refusal = (await mayCall?.({ c, actor, params, query } as Call<E>)) ?? null;
    const text = hasBody ? await readJson(c, jsonMaxBytes, refusal) : '';
    const work = async () => {
      const json = hasBody && parseJson(text, jsonMaxBytes && LARGE_JSON_MAX_VALUES);
      const body = hasBody ? parse(schema, json) : undefined;
      return handler({ c, actor, params, query, body } as Call<E>);
    };
    const answer = await inTurn(endpoint, c, actor, work);
    const status = endpoint.status as ContentfulStatusCode;
    const json = answer instanceof JsonText ? answer.text : JSON.stringify(answer);
    // As bytes, which is how answers that wait for their clients are counted (`listen`).
    return c.body(Buffer.from(json), status, { 'Content-Type': 'application/json' });
  });
}

/** What needs more than a form waits for its turn. @throws BUSY, RATE_LIMITED */
async function inTurn<T>(
  { method, jsonMaxBytes }: Endpoint,
  c: AppContext,
  actor: ActorInSession | null,
  work: () => Promise<T>,
): Promise<T> {
  const limits = c.get('limits');
  if (method === 'GET') return actor ? limits.inTurn('read', actor.userId, work) : work();
  if (!jsonMaxBytes) return work();
  const who = actor?.userId ?? c.get('client');
  // Its person's turn comes first, so that one person fills no more than a few of the places of all.
  const ofAll = () => limits.inTurn('largeBodies', actor ? '' : 'visitors', work);
  return limits.inTurn('largeBody', who, ofAll);
}

/** A body may be left out where its schema takes nothing for one. */
function isLeftOut(body: z.ZodMiniType, c: AppContext): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': chunked } = c.env.incoming.headers;
  return length === '0' && !chunked && body.safeParse(undefined).success;
}

/** @throws VALIDATION_FAILED with the first text of each invalid field */
export function parse<S extends z.ZodMiniType>(schema: S, value: unknown): z.infer<S>;
export function parse<S extends z.ZodMiniType>(schema: S | undefined, value: unknown): unknown;
export function parse(schema: z.ZodMiniType | undefined, value: unknown) {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors: Record<string, string> = {};
  for (const issue of parsed.error.issues) {
    const field = String(issue.path[0] ?? '');
    if (field !== '') errors[field] ??= issue.message;
  }
  const first = Object.values(errors)[0];
  throw new AppError('VALIDATION_FAILED', first === undefined ? {} : { message: first, errors });
}

/** @throws MALFORMED_BODY when the text is not JSON, nested too deeply, or has too many values. */
export function parseJson(text: string, maxValues = JSON_MAX_VALUES): unknown {
  if (!isSmall(text, maxValues)) throw new AppError('MALFORMED_BODY');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('MALFORMED_BODY', { cause });
  }
}

/**
 * Whether a body has neither more values nor more open brackets than allowed. One pass by index: a
 * pattern would begin anew at each quotation mark of a string that is never closed.
 */
function isSmall(json: string, maxValues: number): boolean {
  let values = 0;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') isInString = !isInString;
    // Skips the escaped character, which may be a quotation mark.
    else if (isInString && character === '\\') at += 1;
    else if (isInString) continue;
    else if (character === ',') values += 1;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > JSON_MAX_DEPTH || values > maxValues) return false;
  }
  return !isInString;
}

async function readJson(
  c: AppContext,
  largest: number | undefined,
  refusal: AppError | null,
): Promise<string> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  const encoding = c.req.header('content-encoding');
  if (type !== 'application/json' || (encoding && encoding !== 'identity')) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
      message: 'Please send plain application/json.',
    });
  }
  const rules = {
    maxBytes: (!refusal && largest) || JSON_MAX_BYTES,
    waitMaxMs: refusal ? REFUSED_MS : largest ? LARGE_JSON_MAX_MS : JSON_MAX_MS,
    tooLarge: formTooLarge,
  };
  try {
    return (await readBody(c, rules)).toString('utf8');
  } catch (error) {
    throw refusal ?? error;
  }
}

/** A field that is too long by far is a mistake in the form, as one that is a little too long. */
function formTooLarge(): AppError {
  const message = "That's far more than this form can take. Please shorten it.";
  return new AppError('VALIDATION_FAILED', { message });
}
