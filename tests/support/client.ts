import { CookieJar } from 'tough-cookie';
import { login, register } from '../../shared/api/auth.ts';
import type { Endpoint, ResponseOf } from '../../shared/api/endpoint.ts';
import type { CurrentUser } from '../../shared/api/user.ts';
import { XSRF_COOKIE, XSRF_HEADER } from '../../shared/limits.ts';
import type { FixtureFile } from './fixtures.ts';

export const PASSWORD = 'correct horse';

export interface Answer {
  status: number;
  headers: Headers;
  bytes: Buffer;
  /** The body as text. */
  text: string;
  /** The parsed body; undefined when it is not JSON. */
  json: unknown;
}

export interface Sent {
  /** Sent as JSON. */
  json?: unknown;
  body?: RequestInit['body'];
  headers?: Record<string, string>;
}

/** A caller of the API that keeps its cookies and sends the XSRF token as axios does. */
export interface TestClient {
  readonly url: string;
  readonly jar: CookieJar;
  request(method: string, path: string, sent?: Sent): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, json?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, json?: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** POST /api/capsules: the JSON part `capsule` and the repeated parts `files`. */
  createCapsule(
    capsule: unknown,
    files?: FixtureFile[],
    headers?: Record<string, string>,
  ): Promise<Answer>;
  cookie(name: string): Promise<string | undefined>;
}

export function createClient(url: string, jar = new CookieJar()): TestClient {
  const cookie = async (name: string) =>
    (await jar.getCookies(url)).find((found) => found.key === name)?.value;

  async function request(method: string, path: string, { json, body, headers }: Sent = {}) {
    const token = await cookie(XSRF_COOKIE);
    const response = await fetch(new URL(path, url), {
      method,
      redirect: 'manual',
      headers: {
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(token && { [XSRF_HEADER]: token }),
        cookie: await jar.getCookieString(url),
        ...headers,
      },
      body: json === undefined ? body : JSON.stringify(json),
    });
    for (const line of response.headers.getSetCookie()) await jar.setCookie(line, url);
    return readAnswer(response);
  }

  return {
    url,
    jar,
    cookie,
    request,
    get: (path, headers) => request('GET', path, { headers }),
    post: (path, json, headers) => request('POST', path, { json, headers }),
    put: (path, json) => request('PUT', path, { json }),
    delete: (path) => request('DELETE', path),
    createCapsule: (capsule, files = [], headers) =>
      request('POST', '/api/capsules', { body: capsuleForm(capsule, files), headers }),
  };
}

export interface SignedIn extends TestClient {
  user: CurrentUser;
  password: string;
}

/** Registers a person and signs them in. @param name also makes the address: 'Ada L' is ada-l@example.org. */
export async function signUp(
  url: string,
  name: string,
  password = PASSWORD,
  email = `${toAddress(name)}@example.org`,
): Promise<SignedIn> {
  const client = createClient(url);
  // Hands out the first XSRF token, as loading the page does in a browser.
  await client.get('/user/me');
  answerOf(register, await client.post('/auth/register', { name, email, password }));
  const { user } = answerOf(login, await client.post('/auth/login', { email, password }));
  return { ...client, user, password };
}

let people = 0;

/**
 * Signs up a person of this name whom no other test knows. What a test leaves in an account reaches
 * the devices of the next one at any moment: drafts, news, counts.
 */
export function signUpAnother(url: string, name: string): Promise<SignedIn> {
  people += 1;
  return signUp(url, name, PASSWORD, `${toAddress(name)}-${people}@example.org`);
}

function toAddress(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

export function capsuleForm(capsule: unknown, files: FixtureFile[]): FormData {
  const form = new FormData();
  form.append('capsule', new Blob([JSON.stringify(capsule)], { type: 'application/json' }));
  for (const { name, type, bytes } of files) {
    form.append('files', new Blob([new Uint8Array(bytes)], { type }), name);
  }
  return form;
}

/** The answer, when it has this status; else an error that shows it. */
export function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status === status) return answer;
  throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text.slice(0, 500)}`);
}

/** The body of a call that went well, checked against the contract. */
export function answerOf<E extends Endpoint>(endpoint: E, answer: Answer): ResponseOf<E> {
  expectStatus(answer, endpoint.status);
  if (!endpoint.response) throw new Error(`${endpoint.path} answers with bytes, not with JSON.`);
  return endpoint.response.parse(answer.json) as ResponseOf<E>;
}

async function readAnswer(response: Response): Promise<Answer> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString('utf8');
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

/** For calls to try again: the first ones may meet connections of a database that is gone. */
export function unlessUnavailable(error: Error): null {
  if (error.message.includes('"UNAVAILABLE"')) return null;
  throw error;
}
