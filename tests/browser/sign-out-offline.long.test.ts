import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Visitor } from '../support/browser.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { pdf } from '../support/fixtures.ts';
import { type Fate, type LossyProxy, startLossyProxy } from '../support/lossy-proxy.ts';
import { answer, SAVED, signInByForm, writeCapsule } from '../support/screens.ts';
import { until } from '../support/until.ts';
import { sharedWorld } from '../support/world.ts';

const TITLE = 'Seen before the tunnel';
const QUESTION = 'Are you sure you want to logout?';
/** Of a draft: its title, its description and the bytes of its file. */
const TRACES = ['Never sent', 'Still here', 'Words of a letter'];
const OFFLINE = 'Everything of yours is deleted from this device now';
/** Of a session that the server has yet to end: every other call waits for that. */
const MARK = '"xsrf":"';
/** What a browser asks for by itself belongs to no session. */
const FILES = /\.[a-z0-9]+$|^GET \/(auth|help|dashboard)?$/i;

/** The connection breaks before the server hears anything. */
async function cut(): Promise<Fate> {
  throw new Error('cut');
}

describe('logging out without a network', () => {
  const { server, visit } = sharedWorld({ wholeBrowser: true });
  let proxy: LossyProxy;
  let visitor: Visitor;
  let page: Page;
  let ada: SignedIn;
  let bob: SignedIn;
  let people = 0;

  beforeAll(async () => {
    bob = await signUp(server.url, 'Bob Brown');
    await seal(bob, bob, { title: 'Only for Bob' });
  });
  beforeEach(async () => {
    people += 1;
    [ada, proxy] = await Promise.all([
      signUp(server.url, `Ada ${people}`),
      startLossyProxy(server.url),
    ]);
    await seal(ada, ada, { title: TITLE });
    visitor = await visit({ baseURL: proxy.url });
    page = visitor.page;
  });
  afterEach(async () => {
    await visitor.close();
    await proxy.close();
  });

  async function arrive(): Promise<void> {
    await signInByForm(page, { email: ada.user.email, password: ada.password });
    await page.getByRole('article').filter({ hasText: TITLE }).waitFor();
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  }

  async function askToLogOut(): Promise<void> {
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  }

  async function logOutOffline(yes = 'Sign out'): Promise<void> {
    await visitor.context.setOffline(true);
    await askToLogOut();
    const question = page.getByRole('alertdialog').filter({ hasText: OFFLINE });
    await question.getByRole('button', { name: yes, exact: true }).click();
    await page.waitForURL('/');
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
  }

  /** What a thief would try: the cookie as the browser had it. */
  async function sessionStatus(cookie: string): Promise<number> {
    return (await fetch(`${server.url}/user/me`, { headers: { cookie } })).status;
  }

  async function cookieOf({ context }: Visitor): Promise<string> {
    const all = await context.cookies(proxy.url);
    return all.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  function untilEnded(cookie: string): Promise<true> {
    return until(async () => ((await sessionStatus(cookie)) === 401 ? true : null));
  }

  async function expectNoTrace(): Promise<void> {
    const left = await visitor.kept();
    const traces = [TITLE, ada.user.email, ada.user.name, ada.user.id];
    expect(traces.filter((trace) => left.includes(trace))).toEqual([]);
  }

  it('leaves nothing on the device, stays so over a restart, and ends the session later', async () => {
    await arrive();
    const cookie = await cookieOf(visitor);
    await logOutOffline();
    await expectNoTrace();
    await page.goto('/dashboard');
    await page.waitForURL('/');
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
    await expectNoTrace();
    expect(await sessionStatus(cookie)).toBe(200);
    expect(await visitor.kept()).toContain(MARK);

    await visitor.context.setOffline(false);
    await untilEnded(cookie);
    await until(async () => ((await visitor.kept()).includes(MARK) ? null : true));
    await expectNoTrace();
  });

  it('ends the session with the page closed, where the browser has Background Sync', async () => {
    await arrive();
    const cookie = await cookieOf(visitor);
    await logOutOffline();
    await page.close();
    expect(await sessionStatus(cookie)).toBe(200);
    await visitor.context.setOffline(false);
    await untilEnded(cookie);
  });

  it('without Background Sync the next start begins with it, before anything else is asked', async () => {
    await visitor.context.addInitScript('delete ServiceWorkerRegistration.prototype.sync');
    await arrive();
    const cookie = await cookieOf(visitor);
    await logOutOffline();
    await page.close();
    proxy.requests.length = 0;
    await visitor.context.setOffline(false);
    expect(await sessionStatus(cookie)).toBe(200);
    page = await visitor.context.newPage();
    await page.goto(`/profile/${bob.user.id}`);
    await page.getByRole('heading', { name: 'Bob Brown' }).waitFor();
    await untilEnded(cookie);
    const asked = proxy.requests.filter((line) => !FILES.test(line));
    expect(asked[0]).toBe('POST /auth/logout');
  });

  it('whoever signs in next signs in without that session, and keeps their own', async () => {
    await visitor.context.addInitScript('delete ServiceWorkerRegistration.prototype.sync');
    await arrive();
    const cookie = await cookieOf(visitor);
    await logOutOffline();
    let refused = 0;
    proxy.requests.length = 0;
    // As long as the session cannot be ended nobody is signed in over it.
    proxy.decide = async (method, path) => {
      if (`${method} ${path}` !== 'POST /auth/logout') return 'pass';
      refused += 1;
      return cut();
    };
    await visitor.context.setOffline(false);
    await page.goto('/auth');
    await page.getByLabel('Email', { exact: true }).fill(bob.user.email);
    await page.getByLabel('Password', { exact: true }).fill(bob.password);
    const enter = page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true });
    await enter.click();
    await page.getByText('Network Error').waitFor();
    expect(refused).toBeGreaterThan(0);
    expect(proxy.requests).not.toContain('POST /auth/login');
    proxy.decide = () => 'pass';
    await enter.click();
    await page.waitForURL('/dashboard');
    await page.getByRole('article').filter({ hasText: 'Only for Bob' }).waitFor();
    expect(await sessionStatus(cookie)).toBe(401);
    await page.reload();
    await page.getByRole('article').filter({ hasText: 'Only for Bob' }).waitFor();
    await expectNoTrace();
  });

  it('asks about what was not sent, and staying keeps it', async () => {
    await arrive();
    await visitor.context.setOffline(true);
    const content = { title: 'Never sent', description: 'Still here', message: 'See you' };
    const letter = pdf('Letter.pdf', 'Words of a letter');
    await writeCapsule(page, { ...content, recipients: [ada.user.name], files: [letter] });
    await askToLogOut();
    const question = page.getByRole('alertdialog').filter({ hasText: OFFLINE });
    await question.getByText(QUESTION).waitFor();
    await question.getByText("1 draft isn't fully saved to your account.").waitFor();
    await question.getByRole('button', { name: 'Stay signed in' }).click();
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).waitFor();
    const before = await visitor.kept();
    expect(TRACES.filter((trace) => !before.includes(trace))).toEqual([]);

    await logOutOffline('Sign out and delete it');
    const left = await visitor.kept();
    expect(TRACES.filter((trace) => left.includes(trace))).toEqual([]);
    await expectNoTrace();
  });

  it('a connection that comes back while the question stands saves what can be saved', async () => {
    await arrive();
    await page.goto('/create');
    await visitor.context.setOffline(true);
    await page.getByLabel('Capsule Title').fill('Never sent');
    await page.getByRole('complementary').getByText(SAVED).waitFor();
    await askToLogOut();
    const question = page.getByRole('alertdialog').filter({ hasText: OFFLINE });
    await question.waitFor();
    await visitor.context.setOffline(false);
    await question.getByRole('button', { name: 'Sign out and delete it' }).click();
    await question.waitFor({ state: 'detached' });
    await answer(page, QUESTION, 'OK');
    await page.waitForURL('/');
    await signInByForm(page, { email: ada.user.email, password: ada.password });
    await page.getByRole('link', { name: 'Continue Never sent' }).waitFor();
  });

  it('says which drafts come back, because the account does not know that they were discarded', async () => {
    await arrive();
    await page.goto('/create');
    await page.getByLabel('Capsule Title').fill('Never sent');
    await page.getByText(/^Saved to your account/).waitFor();
    await visitor.context.setOffline(true);
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await answer(page, 'Discard the draft “Never sent”?', 'Discard');
    await page.waitForURL((url) => !url.searchParams.has('draft'));
    await askToLogOut();
    const question = page.getByRole('alertdialog').filter({ hasText: OFFLINE });
    await question.getByText('1 discarded draft will come back, because').waitFor();
    await question.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL('/');
  });

  it('what another tab is typing is named, and goes too', async () => {
    await arrive();
    const other = await visitor.context.newPage();
    await other.goto('/create');
    await other.getByLabel('Capsule Title').waitFor();
    await visitor.context.setOffline(true);
    await askToLogOut();
    const question = page.getByRole('alertdialog').filter({ hasText: OFFLINE });
    await question.waitFor();
    await other.getByLabel('Capsule Title').fill('Not named yet');
    await other.getByRole('complementary').getByText(SAVED).waitFor();
    await question.getByRole('button', { name: 'Sign out' }).click();
    const again = question.filter({ hasText: "1 draft isn't fully saved to your account." });
    await again.waitFor();
    // Typed while the question stands, and saved only after it is answered.
    await other.getByLabel('Capsule Title').fill('Typed too late');
    await again.getByRole('button', { name: 'Sign out and delete it' }).click();
    await page.waitForURL('/');
    await other.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
    expect(await visitor.kept()).not.toContain('Typed too late');
    await expectNoTrace();
  });

  it('a device that takes itself for online offers it when the server cannot be reached', async () => {
    await arrive();
    const cookie = await cookieOf(visitor);
    proxy.decide = cut;
    await askToLogOut();
    await answer(page, QUESTION, 'OK');
    await page.getByRole('button', { name: 'Sign out anyway' }).click();
    const question = page.getByRole('alertdialog').filter({ hasText: OFFLINE });
    await question.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('/');
    await expectNoTrace();
    proxy.decide = () => 'pass';
    await page.reload();
    await untilEnded(cookie);
  });
});
