import {
  type BodyInputOf,
  type Endpoint,
  LOGIN_PATH,
  type ParamsOf,
  type QueryInputOf,
  type ResponseOf,
} from '../../shared/api/endpoint.ts';
import { type CurrentUser, getMe } from '../../shared/api/user.ts';
import { XSRF_COOKIE, XSRF_HEADER } from '../../shared/limits.ts';
import { type CallError, failedAnswer, isAnswerOf, unexpectedAnswer } from './errors.ts';
import { announceUnauthorized } from './session.ts';
import { exchange, type HttpAnswer } from './transport.ts';

/** What every call may take besides the parts that its endpoint describes. */
interface CommonOptions {
  /** For a multipart endpoint: sent as its file parts. */
  files?: readonly File[] | undefined;
  /** For an endpoint that takes bytes: the request body. */
  bytes?: Blob | undefined;
  headers?: Record<string, string> | undefined;
  /**
   * A token from `identify()`, in place of the cookie's. It fits that person's session only: the
   * server refuses the request when somebody else has signed in meanwhile. The 401 of such a call
   * is its caller's business, and a dead connection is given up.
   */
  xsrf?: string | undefined;
  /** Gives up a dead connection; always so with `xsrf`. */
  endsWhenStalled?: boolean | undefined;
  /** Bytes of the body that have left; pages only, a worker has no XMLHttpRequest. */
  onProgress?: ((bytes: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

interface LooseOptions extends CommonOptions {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

/** A part that the endpoint requires is required here too; one with defaults may be left out. */
type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [Key in Name]?: undefined }
  : Record<string, never> extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value };

export type CallOptions<E> = Part<'params', ParamsOf<E>> &
  Part<'query', QueryInputOf<E>> &
  Part<'body', BodyInputOf<E>> &
  CommonOptions;

type CallArguments<E> =
  Record<string, never> extends CallOptions<E>
    ? [options?: CallOptions<E>]
    : [options: CallOptions<E>];

/**
 * Calls one endpoint with the session cookie and returns its checked answer.
 * @throws {CallError} for every failure: no network, aborted, refused, not understood
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  ...rest: CallArguments<E>
): Promise<ResponseOf<E>> {
  const options: LooseOptions = rest[0] ?? {};
  const token = endpoint.method === 'GET' ? undefined : (readCookie(XSRF_COOKIE) ?? told);
  let answer = await send(endpoint, options, options.xsrf ?? token);
  // The refusal brings the right token. On a first visit there is no cookie before it, and one of
  // a parent domain, which another site may have set, can come before ours for good.
  const fresh = options.xsrf === undefined && isTokenRefused(answer) && answer.header(XSRF_HEADER);
  if (fresh) {
    told = fresh;
    answer = await send(endpoint, options, fresh);
  }
  const { status, json } = answer;
  if (status >= 200 && status <= 299) return readAnswer(endpoint, status, json);
  if (options.xsrf === undefined) noteUnauthorized(endpoint, status);
  throw failureOf(answer);
}

/** The last token that a refusal brought: a worker cannot read the cookie. */
let told: string | undefined;

function failureOf({ status, json, header }: HttpAnswer): CallError {
  return failedAnswer(status, json, header('Retry-After'));
}

function isTokenRefused(answer: HttpAnswer): boolean {
  return answer.status === 403 && isAnswerOf(failureOf(answer), 'XSRF_INVALID');
}

function send(
  endpoint: Endpoint,
  options: LooseOptions,
  token: string | undefined,
): Promise<HttpAnswer> {
  const { params, query, xsrf, headers, signal, onProgress } = options;
  const { endsWhenStalled = xsrf !== undefined } = options;
  return exchange({
    address: addressOf(endpoint, { params: asRecord(params), query: asRecord(query) }),
    method: endpoint.method,
    headers: {
      Accept: 'application/json',
      ...(token !== undefined && { [XSRF_HEADER]: token }),
      ...(endpoint.bytes ? { 'Content-Type': endpoint.bytes } : {}),
      ...headers,
    },
    body: bodyOf(endpoint, options),
    signal,
    onProgress,
    endsWhenStalled,
  });
}

export interface Identity {
  user: CurrentUser;
  /** The XSRF token of exactly this person's session. */
  xsrf: string;
}

/**
 * Asks who is signed in, and for the token of their session: a service worker cannot read the
 * cookie. @throws {CallError}
 */
export async function identify(signal?: AbortSignal): Promise<Identity> {
  const { status, json, header } = await exchange({
    address: getMe.path,
    method: getMe.method,
    headers: { Accept: 'application/json' },
    signal,
    endsWhenStalled: true,
  });
  if (status !== getMe.status) throw failedAnswer(status, json, header('Retry-After'));
  return { user: readAnswer(getMe, status, json), xsrf: header(XSRF_HEADER) ?? '' };
}

/** The path and query of one call, e.g. `/api/capsules/created?page=2`; undefined values are left out. */
export function addressOf(
  endpoint: Pick<Endpoint, 'path'>,
  { params = {}, query = {} }: Partial<Record<'params' | 'query', Record<string, unknown>>>,
): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  const found = search.toString();
  return found === '' ? path : `${path}?${found}`;
}

/** FormData sets its own content type; JSON needs one. */
function bodyOf(endpoint: Endpoint, { body, files = [], bytes }: LooseOptions) {
  const json = body === undefined ? undefined : asJson(body);
  if (!endpoint.multipart) return bytes ?? json;
  const form = new FormData();
  // The JSON part goes first, so that the server can refuse it before it reads any file.
  if (endpoint.multipart.json && json) form.append(endpoint.multipart.json, json);
  for (const file of files) form.append(endpoint.multipart.files, file, file.name);
  return form;
}

function asJson(value: unknown): Blob {
  return new Blob([JSON.stringify(value)], { type: 'application/json' });
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Pages only: a worker has no `document`. */
export function readCookie(name: string): string | undefined {
  const { document } = globalThis as { document?: { cookie: string } };
  for (const pair of document?.cookie.split('; ') ?? []) {
    if (pair.startsWith(`${name}=`)) return decoded(pair.slice(name.length + 1));
  }
  return undefined;
}

/** Another site's cookie of the same name may hold anything. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

/** Tells the app that nobody is signed in, unless it was the sign-in itself that was refused. */
export function noteUnauthorized(endpoint: Endpoint, status: number): void {
  if (status === 401 && endpoint.path !== LOGIN_PATH) announceUnauthorized();
}

/** The answer's body, checked against the endpoint's schema. */
export function readAnswer<E extends Endpoint>(
  endpoint: E,
  status: number,
  json: unknown,
): ResponseOf<E> {
  const parsed = endpoint.response?.safeParse(json);
  if (!parsed?.success) throw unexpectedAnswer(status);
  // The schema is the endpoint's own, so its output is what ResponseOf names.
  return parsed.data as ResponseOf<E>;
}
