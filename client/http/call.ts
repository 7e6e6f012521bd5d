import {
  type BodyInputOf,
  type Endpoint,
  LOGIN_PATH,
  type ParamsOf,
  type QueryInputOf,
  type ResponseOf,
} from '../../shared/api/endpoint.ts';
import { addressOf } from './address.ts';
import { parseJson, readAnswer } from './answer.ts';
import { abortedError, CallError, failedAnswer, networkError } from './call-error.ts';
import { askServer } from './session-gate.ts';
import { announceUnauthorized } from './unauthorized.ts';
import { isStaleXsrf, xsrfHeaders } from './xsrf.ts';

/** What any call takes: the parts of its address, its body, and how to stop it. */
interface LooseOptions {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  /** For multipart endpoints: sent as the endpoint's file parts. */
  files?: readonly File[];
  signal?: AbortSignal;
}

/** A part the endpoint has is asked for, one it can do without may be left out. */
type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [Key in Name]?: undefined }
  : Record<string, never> extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value };

export type CallOptions<E> = Part<'params', ParamsOf<E>> &
  Part<'query', QueryInputOf<E>> &
  Part<'body', BodyInputOf<E>> &
  Pick<LooseOptions, 'files' | 'signal'>;

type CallArguments<E> =
  Record<string, never> extends CallOptions<E>
    ? [options?: CallOptions<E>]
    : [options: CallOptions<E>];

/**
 * Calls one endpoint with the person's cookies and gives its checked answer.
 * @throws {CallError} for every failure: no network, aborted, refused, not understood
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  ...rest: CallArguments<E>
): Promise<ResponseOf<E>> {
  const options: LooseOptions = rest[0] ?? {};
  try {
    return await callOnce(endpoint, options);
  } catch (error) {
    // The refusal set a fresh cookie; a first visit has none at all before it.
    if (error instanceof CallError && isStaleXsrf(error)) return callOnce(endpoint, options);
    throw error;
  }
}

async function callOnce<E extends Endpoint>(
  endpoint: E,
  options: LooseOptions,
): Promise<ResponseOf<E>> {
  const { status, headers, json } = await exchange(
    addressOf(endpoint, { params: asRecord(options.params), query: asRecord(options.query) }),
    {
      method: endpoint.method,
      headers: { Accept: 'application/json', ...xsrfHeaders(endpoint.method) },
      credentials: 'include',
      ...payloadOf(endpoint, options),
      ...(options.signal ? { signal: options.signal } : {}),
    },
  );
  if (status < 200 || status > 299) {
    const error = failedAnswer(status, json, headers.get('Retry-After'));
    noteUnauthorized(endpoint, error);
    throw error;
  }
  return readAnswer(endpoint, status, json);
}

/** Tells the app that nobody is signed in, unless it was the sign-in itself that was refused. */
export function noteUnauthorized(endpoint: Endpoint, error: CallError): void {
  if (error.status === 401 && endpoint.path !== LOGIN_PATH) announceUnauthorized();
}

async function exchange(address: string, init: RequestInit & { headers: HeadersInit }) {
  try {
    const answer = await askServer(address, init);
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, json: parseJson(text) };
  } catch {
    throw init.signal?.aborted ? abortedError() : networkError();
  }
}

/** FormData brings its own content type; a string of JSON needs to be told. */
function payloadOf(endpoint: Endpoint, { body, files = [] }: LooseOptions): { body?: BodyInit } {
  if (endpoint.multipart) {
    const form = new FormData();
    for (const file of files) form.append(endpoint.multipart.files, file, file.name);
    return { body: form };
  }
  if (body === undefined) return {};
  return { body: new Blob([JSON.stringify(body)], { type: 'application/json' }) };
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}
