import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort, startTestServer, type TestServer } from '../support/server.ts';
import { startTlsProxy, type TlsProxy } from '../support/tls.ts';
import { startWebKit } from './webkit.ts';

let server: TestServer;
let proxy: TlsProxy;
let url: string;

beforeAll(async () => {
  const port = await freePort();
  url = `https://localhost:${port}`;
  server = await startTestServer({ client: true, config: { appUrl: url, secureCookies: true } });
  proxy = await startTlsProxy(port, server.url);
});
afterAll(async () => {
  await proxy.close();
  await server.close();
});

/** Without the pause before it registers, WebKit lost the install in 7 of 10 rounds. */
it.each([1, 2, 3, 4])(
  'WebKit: a first page that is left at once costs no offline, round %i',
  async () => {
    const engine = await startWebKit();
    try {
      await engine.goto(url);
      await engine.goto(`${url}/help`);
      const active = engine.evaluate('navigator.serviceWorker.ready.then(() => "active")');
      const never = new Promise((resolve) => setTimeout(resolve, 15_000, 'still installing'));
      expect(await Promise.race([active, never])).toBe('active');
    } finally {
      await engine.close();
    }
  },
);
