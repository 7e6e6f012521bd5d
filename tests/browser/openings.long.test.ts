import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Visitor } from '../support/browser.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { answer, chooseFor, signIn } from '../support/screens.ts';
import { until } from '../support/until.ts';
import { sharedWorld } from '../support/world.ts';

const EVE = '2029-12-31T12:00:00Z';
const NEW_YEAR = '2030-01-01T12:00:00Z';

/** A browser without a window has no icon to look at: what the app asks of it is written down instead. */
const RECORDED = `
  Navigator.prototype.setAppBadge = async (count) => recordBadge(count);
  Navigator.prototype.clearAppBadge = async () => recordBadge(0);
`;

describe('what has opened and waits', () => {
  const { server, visit } = sharedWorld();
  let visitor: Visitor;
  let page: Page;
  let badges: number[];
  let ada: SignedIn;
  let grace: SignedIn;
  let people = 0;

  /** Grace at a device that is new to her; she has looked at what opened before, two more will in the new year. */
  beforeEach(async () => {
    people += 1;
    server.clock.set('2029-12-30T12:00:00Z');
    [ada, grace] = await Promise.all([
      signUp(server.url, `Ada ${people}`),
      signUp(server.url, `Grace ${people}`),
    ]);
    const { id } = await seal(ada, grace, { title: 'Long ago', dateToUnlock: '2029-12-31' });
    server.clock.set(EVE);
    await grace.put(`/api/capsules/${id}/seen`);
    await seal(ada, grace, { title: 'From a friend' });
    await seal(grace, grace, { title: 'To myself' });
    badges = [];
    visitor = await visit();
    page = visitor.page;
  });

  async function arrive(person: SignedIn): Promise<void> {
    await signIn(page, { email: person.user.email, password: person.password });
    await page.getByRole('article').first().waitFor();
    await untilAsked();
  }

  async function record(): Promise<void> {
    await visitor.context.exposeFunction('recordBadge', (count: number) => badges.push(count));
    await visitor.context.addInitScript(RECORDED);
  }

  /** This device has asked the server once. */
  async function untilAsked(): Promise<void> {
    await until(async () => {
      const rows = await page.evaluate<unknown[]>(`readRows('openings')`);
      return rows.length > 0 ? true : null;
    });
  }

  async function untilCounted(count: number): Promise<void> {
    await expect
      .poll(() => page.title())
      .toBe(`${count > 0 ? `(${count}) ` : ''}Dashboard · Time Capsule`);
  }

  function untilOnIcon(count: number): Promise<boolean> {
    return until(() => badges.at(-1) === count);
  }

  async function look(title: string): Promise<void> {
    await page.getByRole('tab', { name: /^Shared With Me/ }).click();
    await page
      .getByRole('tabpanel')
      .filter({ visible: true })
      .getByRole('button', { name: `View details of ${title}` })
      .click();
    const dialog = page.getByRole('dialog', { name: title });
    const press = dialog.getByRole('button', { name: 'Press to open' });
    const message = dialog.getByText('I was here.');
    await press.or(message).waitFor();
    if (await press.isVisible()) await press.click();
    await message.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  }

  async function logOut(): Promise<void> {
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
    await answer(page, 'Are you sure you want to logout?', 'OK');
    await page.waitForURL('/');
  }

  it('is counted until it is looked at, without a network too', async () => {
    await arrive(grace);
    await untilCounted(0);
    server.clock.set(NEW_YEAR);
    await page.reload();
    await untilCounted(2);
    await look('From a friend');
    await untilCounted(1);
    await page.reload();
    await page.getByRole('article').first().waitFor();
    expect(visitor.problems).toEqual([]);

    await visitor.context.setOffline(true);
    await look('To myself');
    await untilCounted(0);
    // What it did not count before, it does not count down.
    await look('Long ago');
    await page.reload();
    await page.getByRole('article').first().waitFor();
    await untilCounted(0);
    expect(visitor.problems.filter((problem) => problem.startsWith('uncaught'))).toEqual([]);
  });

  it('stands on the dashboard, its tab and in the title, and nowhere once it is seen', async () => {
    server.clock.set(NEW_YEAR);
    await arrive(grace);
    await page.getByRole('heading', { name: '2 capsules have opened for you' }).waitFor();
    await page.getByRole('tab', { name: 'Shared With Me (3) 2 new' }).waitFor();
    await expect.poll(() => page.title()).toBe('(2) Dashboard · Time Capsule');
    await page.getByText(`Sealed by Ada ${people} on 31 December 2029`).waitFor();
    await page.getByText('Sealed by you on 31 December 2029').waitFor();
    for (const title of ['To myself', 'From a friend']) {
      await page.getByRole('button', { name: `Open it: ${title}` }).click();
      await page.getByRole('button', { name: 'Press to open' }).click();
      await page.getByRole('dialog', { name: title }).getByText('I was here.').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      // What was pressed is gone. The other list, of the other letter, is not drawn.
      const focused = title === 'To myself' ? `View details of ${title}` : 'Time Capsule Dashboard';
      const focus = page.locator(':focus');
      await focus.and(page.getByLabel(focused).or(page.getByText(focused))).waitFor();
    }
    await page.getByText('opened for you').waitFor({ state: 'detached' });
    await expect.poll(() => page.title()).toBe('Dashboard · Time Capsule');
    await page.getByRole('tab', { name: 'Shared With Me (3)', exact: true }).waitFor();
    const other = await visit();
    await signIn(other.page, { email: grace.user.email, password: grace.password });
    await other.page.getByRole('article').first().waitFor();
    expect(await other.page.getByText('opened for you').count()).toBe(0);
    expect(visitor.problems).toEqual([]);
  });

  it('counts no more what is put away unread, and the dashboard says so', async () => {
    server.clock.set(NEW_YEAR);
    await arrive(grace);
    await untilCounted(2);
    await page.getByRole('tab', { name: /^Shared With Me/ }).click();
    await chooseFor(page, 'From a friend', 'Move out of sight');
    await untilCounted(1);
    await page.getByRole('heading', { name: 'A capsule has opened for you' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await untilCounted(2);
    expect(visitor.problems).toEqual([]);
  });

  it('is not among the next ones once it is opened', async () => {
    await arrive(grace);
    const upcoming = page.getByRole('heading', { name: 'Upcoming unlocks' });
    await upcoming.waitFor();
    server.clock.set(NEW_YEAR);
    await look('From a friend');
    await upcoming.waitFor({ state: 'detached' });
    expect(visitor.problems).toEqual([]);
  });

  it.each([
    ['comes into sight or leaves it', `document.dispatchEvent(new Event('visibilitychange'))`],
    ['is turned to, beside another window', `window.dispatchEvent(new Event('focus'))`],
  ])('is asked for when the app %s', async (_, what) => {
    await arrive(grace);
    server.clock.set(NEW_YEAR);
    await page.clock.setFixedTime(Date.now() + 60_000);
    await page.evaluate(what);
    await untilCounted(2);
    // The page is being read already, so a message says it.
    const message = page
      .getByRole('listitem')
      .filter({ hasText: '2 capsules have opened for you' });
    await message.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('button', { name: 'View details of From a friend' }).waitFor();
    expect(visitor.problems).toEqual([]);
  });

  it('is a number on the icon, gone with who signs out and with a session that ends', async () => {
    await record();
    server.clock.set(NEW_YEAR);
    await arrive(grace);
    await untilOnIcon(2);
    await logOut();
    await untilOnIcon(0);
    expect(await visitor.kept()).not.toContain('"lookedAt"');

    const before = badges.length;
    await arrive(ada);
    expect(badges.slice(before).filter((count) => count > 0)).toEqual([]);
    expect(visitor.problems).toEqual([]);
    await logOut();
    await arrive(grace);
    await untilOnIcon(2);
    await visitor.context.clearCookies();
    await page.reload();
    await page.waitForURL('/');
    await untilOnIcon(0);
  });

  it('is on the dashboard of a browser whose icons take no number', async () => {
    await visitor.context.addInitScript('delete Navigator.prototype.setAppBadge');
    server.clock.set(NEW_YEAR);
    await signIn(page, { email: grace.user.email, password: grace.password });
    await page.getByRole('heading', { name: '2 capsules have opened for you' }).waitFor();
    await logOut();
    expect(visitor.problems).toEqual([]);
  });
});
