import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp } from '../support/client.ts';
import { freePort, startTestServer, type TestServer } from '../support/server.ts';
import { startTlsProxy, type TlsProxy } from '../support/tls.ts';
import { type Engine, field, pressable, untilFound, untilShown } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { startWebKit } from './webkit.ts';

/** How often each way: 15 in `npm run engines` and `npm run test:all`. */
const ROUNDS = Number(process.env.ROUNDS ?? 3);

const TITLE = field('Capsule Title');

/** In one task of this window: types into the title, and leaves. */
const typeAndLeave = (window: string, text: string, leave: string) => `
  ${window}.setTimeout(() => {
    const field = ${window}.document.querySelector('input[name=title]');
    const { set } = Object.getOwnPropertyDescriptor(${window}.HTMLInputElement.prototype, 'value');
    set.call(field, ${JSON.stringify(text)});
    field.dispatchEvent(new ${window}.Event('input', { bubbles: true }));
    ${leave};
  }, 50)`;

/**
 * Over https, as people use it: WebKit keeps pages of plain http in its page cache whatever their
 * headers say (docs/decisions/028-no-page-cache.md).
 */
describe.each([
  ['Firefox', startFirefox],
  ['WebKitGTK', startWebKit],
])('in %s', (_name, start) => {
  let server: TestServer;
  let proxy: TlsProxy;
  let engine: Engine;
  let url: string;
  /** Of the draft. */
  let address: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `https://localhost:${port}`;
    server = await startTestServer({ client: true, config: { appUrl: url, secureCookies: true } });
    proxy = await startTlsProxy(port, server.url);
    const ada = await signUp(server.url, 'Ada');
    engine = await start();
    await engine.goto(`${url}/auth`);
    await engine.type(field('Email'), ada.user.email);
    await engine.type(field('Password'), ada.password);
    await engine.click(`document.querySelector('main form button[type=submit]')`);
    await untilShown(engine, 'Time Capsule Dashboard');
    await engine.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await engine.click(pressable('Create New Capsule'));
    await engine.type(TITLE, 'Begun');
    await untilShown(engine, 'Saved to your account');
    address = await engine.evaluate('location.href');
  });
  afterAll(async () => {
    await engine.close();
    await proxy.close();
    await server.close();
  });

  /** Types and leaves again and again. @returns what the draft then holds, beside what was typed */
  async function leaveRepeatedly(way: string, leave: (text: string) => Promise<void>) {
    const titles: string[] = [];
    const typed: string[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const text = `${way} ${round}`;
      typed.push(text);
      await leave(text);
      await untilFound(engine, TITLE);
      titles.push(await engine.evaluate<string>(`(${TITLE}).value`));
    }
    return { titles, typed };
  }

  /** The page is replaced by another one. */
  async function leaveBy(script: string, text: string): Promise<void> {
    await engine.evaluate('globalThis.isOld = true');
    await engine.evaluate(typeAndLeave('globalThis', text, script));
    await untilFound(engine, "!globalThis.isOld && document.readyState === 'complete'");
  }

  it('keeps what was typed in the task in which the page is reloaded', async () => {
    await engine.goto(address);
    await untilFound(engine, TITLE);
    const { titles, typed } = await leaveRepeatedly('Reload', (text) =>
      leaveBy('location.reload()', text),
    );
    expect(titles).toEqual(typed);
  });

  it('keeps what was typed in the task in which another page is opened', async () => {
    await engine.goto(address);
    await untilFound(engine, TITLE);
    const { titles, typed } = await leaveRepeatedly('Leave', async (text) => {
      await leaveBy(`location.assign('/help')`, text);
      await engine.goto(address);
    });
    expect(titles).toEqual(typed);
  });

  it('keeps what was typed in the task in which the window is closed', async () => {
    // A window that a script has opened may close itself, and WebDriver reaches it through its opener.
    const { titles, typed } = await leaveRepeatedly('Close', async (text) => {
      await engine.goto(`${url}/help`);
      await engine.evaluate(`void (onclick = () => { globalThis.other = open('${address}'); })`);
      await engine.click(`document.querySelector('h1')`);
      await untilFound(engine, TITLE.replaceAll('document.', 'other.document.'));
      await engine.evaluate(
        `void other.addEventListener('pagehide', () => { globalThis.isClosed = true; })`,
      );
      await engine.evaluate(typeAndLeave('other', text, 'other.close()'));
      await untilFound(engine, 'globalThis.isClosed');
      await engine.goto(address);
    });
    expect(titles).toEqual(typed);
  });
});
