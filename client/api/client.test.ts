import { beforeEach, describe, expect, it, vi } from 'vitest';
import { login } from '../../shared/api/auth.ts';
import { getCapsule, listCreated } from '../../shared/api/capsules.ts';
import { logout } from '../../shared/api/logout.ts';
import { getSiteLimits } from '../../shared/api/site.ts';
import { updateProfilePhoto } from '../../shared/api/user.ts';
import { sampleCapsule, sampleId } from '../../tests/support/sample-capsule.ts';
import { call } from './client.ts';
import { messageFrom, sentenceFrom } from './errors.ts';
import { onUnauthorized } from './session.ts';

const LIMITS = { maxFileMB: 100, maxCapsuleMB: 500, maxFiles: 20, storageLimitMB: 1024 };
const CREDENTIALS = { body: { email: 'ada@example.org', password: 'engine' } };

const fetch = vi.fn<typeof globalThis.fetch>();
const document = { cookie: '' };

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Response(text, { status, headers });
}

function sent(index = 0) {
  const [address, init] = fetch.mock.calls[index] ?? [];
  return { address, init, headers: new Headers(init?.headers) };
}

beforeEach(() => {
  fetch.mockReset();
  document.cookie = '';
  vi.stubGlobal('fetch', fetch);
  vi.stubGlobal('document', document);
});

describe('call', () => {
  it('puts parameters and query into the address and checks the answer [7.http.1]', async () => {
    fetch.mockResolvedValueOnce(answer(200, sampleCapsule(1)));
    expect((await call(getCapsule, { params: { id: 'a/b c' } })).id).toBe(sampleId(1));
    expect(sent().address).toBe('/api/capsules/a%2Fb%20c');

    const pagination = { currentPage: 2, totalPages: 2, itemsPerPage: 6, totalItems: 7 };
    fetch.mockResolvedValueOnce(answer(200, { capsules: [], pagination }));
    await call(listCreated, { query: { page: 2, query: 'lake & snow' } });
    expect(sent(1).address).toBe('/api/capsules/created?page=2&query=lake+%26+snow');
    expect(sent(1).init?.credentials).toBe('include');
  });

  it('takes a plain array for a list on one page [3.entities.9]', async () => {
    const capsules = [sampleCapsule(2), sampleCapsule(1)];
    fetch.mockResolvedValueOnce(answer(200, capsules));
    expect(await call(listCreated, { query: { page: 1 } })).toEqual({
      capsules,
      pagination: { currentPage: 1, totalPages: 1, itemsPerPage: 2, totalItems: 2 },
    });
    fetch.mockResolvedValueOnce(answer(200, []));
    expect((await call(listCreated)).pagination).toMatchObject({ totalPages: 0, totalItems: 0 });
    fetch.mockResolvedValueOnce(answer(200, ['not a capsule']));
    await expect(call(listCreated)).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER' });
  });

  it('sends the XSRF cookie back on unsafe calls only [7.http.2]', async () => {
    document.cookie = 'theme=dark; XSRF-TOKEN=a%2Bb';
    fetch.mockImplementation(async () => answer(200, { message: 'Bye', ...LIMITS }));
    await call(getSiteLimits);
    await call(logout);
    expect(sent(0).headers.get('X-XSRF-TOKEN')).toBeNull();
    expect(sent(1).headers.get('X-XSRF-TOKEN')).toBe('a+b');
  });

  it.each(['', 'XSRF-TOKEN=foreign; XSRF-TOKEN=stale', 'XSRF-TOKEN=%E0%A4%A'])(
    'tries once more with the token of the refusal, and only once, beside the cookies %j',
    async (cookie) => {
      const stale = { message: 'Stale', code: 'XSRF_INVALID' };
      const refusal = async () => answer(403, stale, { 'X-XSRF-TOKEN': 'fresh' });
      document.cookie = cookie;
      fetch.mockImplementationOnce(refusal);
      fetch.mockResolvedValueOnce(answer(200, { message: 'Bye' }));
      expect(await call(logout)).toEqual({ message: 'Bye' });
      expect(sent(1).headers.get('X-XSRF-TOKEN')).toBe('fresh');

      fetch.mockReset();
      fetch.mockImplementation(refusal);
      await expect(call(logout)).rejects.toMatchObject({ code: 'XSRF_INVALID', status: 403 });
      expect(fetch).toHaveBeenCalledTimes(2);

      // A token of one person's session is never exchanged for that of whoever is signed in now.
      await expect(call(logout, { xsrf: 'theirs' })).rejects.toMatchObject({ status: 403 });
      expect(fetch).toHaveBeenCalledTimes(3);
    },
  );

  it('carries all that the server says of a failure', async () => {
    fetch.mockResolvedValueOnce(
      answer(
        403,
        { message: 'Verify first', code: 'EMAIL_NOT_VERIFIED', email: 'ada@example.org' },
        { 'Retry-After': '30' },
      ),
    );
    await expect(call(login, CREDENTIALS)).rejects.toMatchObject({
      message: 'Verify first',
      code: 'EMAIL_NOT_VERIFIED',
      status: 403,
      email: 'ada@example.org',
      retryAfter: 30,
      errors: {},
    });
  });

  it.each([
    ['a page of a proxy', 502, '<h1>Bad gateway</h1>', 'Request failed with status code 502'],
    ['an empty body', 404, '', 'Request failed with status code 404'],
    ['a gateway', 404, { message: 'no Route matched' }, 'Request failed with status code 404'],
    ['a code of a newer server', 400, { message: 'New rule', code: 'NEW_RULE' }, 'New rule'],
  ])('has words for %s [8.errors.28]', async (_, status, body, message) => {
    fetch.mockResolvedValueOnce(answer(status, body));
    await expect(call(getSiteLimits)).rejects.toMatchObject({
      message,
      status,
      code: 'UNEXPECTED_ANSWER',
    });
  });

  it('tells the words of the server from those made here', async () => {
    const failure = async (status: number, body: unknown) => {
      fetch.mockResolvedValueOnce(answer(status, body));
      return call(getSiteLimits).catch((error: unknown) => error);
    };
    const said = await failure(429, { message: 'Too many', code: 'RATE_LIMITED' });
    expect(messageFrom(said, 'otherwise')).toBe('Too many');
    const bare = await failure(502, '<h1>Bad gateway</h1>');
    expect(messageFrom(bare, 'otherwise')).toBe('otherwise');
    expect(sentenceFrom(bare, 'otherwise')).toBe('Request failed with status code 502');
    const empty = await failure(500, { message: '', code: 'INTERNAL' });
    expect(messageFrom(empty, 'otherwise')).toBe('otherwise');
    expect(sentenceFrom(empty, 'otherwise')).toBe('otherwise');
    expect(sentenceFrom(new Error('a bug'), 'otherwise')).toBe('otherwise');
  });

  it('takes every status from 200 to 299 for a success, and no other [9.limits.19]', async () => {
    const outcomes = new Map<number, boolean>();
    for (const status of [200, 201, 202, 226, 299, 300, 304, 400, 500]) {
      // A Response cannot be made with every status, so the status is put over it.
      const made = Object.defineProperty(answer(200, LIMITS), 'status', { value: status });
      fetch.mockResolvedValueOnce(made);
      const succeeded = call(getSiteLimits).then(
        () => true,
        () => false,
      );
      outcomes.set(status, await succeeded);
    }
    const succeeding = [...outcomes].filter(([, ok]) => ok).map(([status]) => status);
    expect(succeeding).toEqual([200, 201, 202, 226, 299]);
  });

  it('waits for an answer as long as it takes [7.http.3 9.limits.20]', async () => {
    vi.useFakeTimers();
    try {
      const settled = vi.fn();
      let come: (response: Response) => void = () => undefined;
      fetch.mockReturnValueOnce(
        new Promise((resolve) => {
          come = resolve;
        }),
      );
      const waiting = call(getSiteLimits).finally(settled);
      await vi.advanceTimersByTimeAsync(86_400_000);
      expect(settled).not.toHaveBeenCalled();
      expect(sent().init?.signal?.aborted ?? false).toBe(false);
      come(answer(200, LIMITS));
      expect(await waiting).toEqual(LIMITS);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not take a captive portal for the server', async () => {
    fetch.mockResolvedValueOnce(answer(200, '<h1>Welcome to the hotel</h1>'));
    await expect(call(getSiteLimits)).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER' });
  });

  it('tells a lost network from a call that was stopped [8.errors.26]', async () => {
    fetch.mockRejectedValue(new TypeError('Failed to fetch'));
    await expect(call(getSiteLimits)).rejects.toMatchObject({
      message: 'Network Error',
      code: 'NETWORK_ERROR',
      status: 0,
    });
    await expect(call(getSiteLimits, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      message: 'Request aborted',
      code: 'REQUEST_ABORTED',
    });
  });

  it('announces every 401 but that of the sign-in [4.auth.5 8.errors.5]', async () => {
    const listener = vi.fn();
    const stop = onUnauthorized(listener);
    fetch.mockImplementation(async () =>
      answer(401, { message: 'Please sign in to continue.', code: 'UNAUTHENTICATED' }),
    );
    await expect(call(login, CREDENTIALS)).rejects.toMatchObject({ status: 401 });
    expect(listener).not.toHaveBeenCalled();
    await expect(call(getCapsule, { params: { id: 'x' } })).rejects.toMatchObject({ status: 401 });
    expect(listener).toHaveBeenCalledTimes(1);
    stop();
  });

  it('sends files as the part that the endpoint names', async () => {
    fetch.mockResolvedValueOnce(answer(200, { avatar: '/uploads/a.webp' }));
    await call(updateProfilePhoto, { files: [new File(['x'], 'me.png', { type: 'image/png' })] });
    const form = sent().init?.body;
    expect(form).toBeInstanceOf(FormData);
    expect(form instanceof FormData && (form.get('file') as File).name).toBe('me.png');
    expect(sent().headers.has('Content-Type')).toBe(false);
  });
});
