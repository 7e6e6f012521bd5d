/**
 * Registers and signs in. @param address where they come from, for a server that trusts a proxy
 * @returns the person, with the headers for their calls
 */
export async function signUp(port, name = 'bench', address = '127.0.0.1') {
  const url = `http://127.0.0.1:${port}`;
  const cookies = new Map();

  async function call(method, path, json) {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers(), ...(json && { 'Content-Type': 'application/json' }) },
      body: json && JSON.stringify(json),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, key, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) cookies.set(key, value);
      else cookies.delete(key);
    }
    const answer = await response.json();
    if (!response.ok && method !== 'GET') throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  function headers() {
    return {
      'X-Forwarded-For': address,
      Cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; '),
      'X-XSRF-TOKEN': cookies.get('XSRF-TOKEN') ?? '',
    };
  }

  const email = `${name}@bench.example`;
  const password = 'correct horse';
  // The first call returns the XSRF token the others need.
  await call('GET', '/user/me');
  await call('POST', '/auth/register', { name, email, password });
  await call('POST', '/auth/login', { email, password });
  return { name, email, password, call, headers };
}

/** The JSON part of a capsule to oneself. */
export function capsuleFor(email, title = 'Bench') {
  return {
    title,
    description: 'A capsule of the bench.',
    dateToUnlock: '2090-01-01',
    recipientEmails: [email],
    personalMessage: 'Hello from the bench.',
    notifyRecipient: false,
  };
}
