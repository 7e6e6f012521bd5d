import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, signUp } from '../support/client.ts';
import { signInByForm } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

describe("behind a company's sign-in", () => {
  const { server, visit } = sharedWorld({ wholeBrowser: true });
  let isSignedIn = true;
  let proxy: Server;
  let company: Server;

  /** Loopback by the other name: another site, as the sign-in of a company is. */
  const companyUrl = () => `http://localhost:${(company.address() as AddressInfo).port}`;
  const proxyUrl = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

  beforeAll(async () => {
    const { port } = new URL(server.url);
    proxy = createServer((incoming, answer) => {
      const { url = '/', method, headers } = incoming;
      if (!isSignedIn) {
        const back = encodeURIComponent(proxyUrl() + url);
        return answer.writeHead(302, { location: `${companyUrl()}/?back=${back}` }).end();
      }
      const to = { host: new URL(server.url).hostname, port, path: url, method, headers };
      const outgoing = request(to, (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      });
      outgoing.on('error', () => answer.destroy());
      return incoming.pipe(outgoing);
    });
    company = createServer(({ url = '/' }, answer) => {
      isSignedIn = true;
      const back = new URL(url, companyUrl()).searchParams.get('back') ?? '';
      answer.writeHead(200, { 'content-type': 'text/html' });
      answer.end(`<h1>Company sign-in</h1><a href="${back}">Continue</a>`);
    });
    for (const one of [proxy, company]) {
      await new Promise<void>((resolve) => one.listen(0, 'localhost', resolve));
    }
  });
  afterAll(() => {
    proxy.close();
    company.close();
  });

  it('whose session has ended, the app leads to its page and back', async () => {
    const ada = await signUp(server.url, 'Ada Lovelace');
    const { page } = await visit({ baseURL: proxyUrl() });
    await signInByForm(page, { email: ada.user.email, password: PASSWORD });
    await page.evaluate('navigator.serviceWorker.ready');
    await page.reload();
    await page.getByRole('tab', { name: 'My Capsules (0)' }).waitFor();
    expect(await page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);

    isSignedIn = false;
    await page.reload();
    const note = page.getByRole('status').filter({ hasText: 'A sign-in page stands between' });
    await note.getByText('What you write is saved on this device.').waitFor();
    await note.getByRole('link', { name: 'Sign in again' }).click();
    await page.getByRole('heading', { name: 'Company sign-in' }).waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(`${proxyUrl()}/dashboard`);
    await page.getByRole('tab', { name: 'My Capsules (0)' }).waitFor();
    expect(await note.count()).toBe(0);
  });
});
