import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type SignedIn, signUp } from '../support/client.ts';
import { createDevice, type Device, type Running } from '../support/device.ts';
import { rare } from '../support/rare.ts';
import { SAVED, signIn } from '../support/screens.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** How often each way: once in `npm test`, 15 in `npm run test:all`, which sees a race lost once in ten. */
const ROUNDS = Number(process.env.ROUNDS ?? 1);

let server: TestServer;
let ada: SignedIn;
let device: Device;
/** With a profile on the disk: in a private window nothing has to reach it. */
let running: Running;

beforeAll(async () => {
  server = await startTestServer({ client: true });
});
afterAll(() => server.close());
beforeEach(async () => {
  ada = await signUp(server.url, `Ada ${Math.random()}`);
  device = await createDevice(server.url);
  running = await device.start();
  await signIn(running.page, { email: ada.user.email, password: ada.password });
});
afterEach(() => device.remove());

/** Types `text` into the title and leaves in the same task: no promise of the page settles any more. */
const typeAndLeave = (text: string, leave: string) => `
  const field = document.querySelector('input[name=title]');
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  set.call(field, ${JSON.stringify(text)});
  field.dispatchEvent(new Event('input', { bubbles: true }));
  ${leave};
  undefined`;

const titleOf = (page: Page) => page.getByLabel('Capsule Title');

/** Begins a draft. @returns its address */
async function begin(page: Page): Promise<string> {
  await page.goto('/create');
  await titleOf(page).fill('Begun');
  await page.getByText(SAVED).waitFor();
  return page.url();
}

/** @param leave opens the draft again after it was left by `typeAndLeave` */
async function expectKept(address: string, leave: (page: Page, text: string) => Promise<Page>) {
  let { page } = running;
  for (let round = 0; round < ROUNDS; round += 1) {
    const text = `Round ${round}`;
    page = await leave(page, text);
    await expect.poll(() => titleOf(page).inputValue()).toBe(text);
    expect(page.url()).toBe(address);
  }
}

it('keeps what was typed in the task in which the page is reloaded', async () => {
  const address = await begin(running.page);
  await expectKept(address, async (page, text) => {
    const loaded = page.waitForEvent('load');
    await page.evaluate(typeAndLeave(text, 'location.reload()'));
    await loaded;
    return page;
  });
});

rare('keeps what was typed in the task in which another page is opened', async () => {
  const address = await begin(running.page);
  await expectKept(address, async (page, text) => {
    await page.evaluate(typeAndLeave(text, `location.assign('/healthz')`));
    await page.waitForURL('/healthz');
    await page.goto(address);
    return page;
  });
});

rare('keeps what was typed in the task in which the page is closed', async () => {
  const { page: opener } = running;
  const address = await begin(opener);
  // A page that a script has opened may close itself.
  await opener.goto('/healthz');
  const open = async () => {
    const opened = running.context.waitForEvent('page');
    await opener.evaluate(`open(${JSON.stringify(address)}); undefined`);
    const page = await opened;
    await titleOf(page).waitFor();
    return page;
  };
  running = { ...running, page: await open() };
  await expectKept(address, async (page, text) => {
    const closed = page.waitForEvent('close');
    await page.evaluate(typeAndLeave(text, 'close()')).catch(() => undefined);
    await closed;
    return open();
  });
});
