/** What a browser adds to a request of the app: the server's address, and the cookies it was given. */
export function browserFetch(url: string) {
  const cookies = new Map<string, string>();
  return async (address: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('cookie', [...cookies].map((cookie) => cookie.join('=')).join('; '));
    const answer = await realFetch(url + address, { ...init, headers });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
}

/** Before a test puts its own in place of it. */
const realFetch = globalThis.fetch;
