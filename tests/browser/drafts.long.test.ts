import type { Page, Route } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { listCreated } from '../../shared/api/capsules.ts';
import { listDrafts } from '../../shared/api/drafts.ts';
import type { Visitor } from '../support/browser.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { photo } from '../support/fixtures.ts';
import { answer, createCapsule, signIn, writeCapsule } from '../support/screens.ts';
import { until } from '../support/until.ts';
import { sharedWorld } from '../support/world.ts';

/** At least as high as a line of a letter with the room above it. */
const LINE_PX = 40;
/** The room below the last line of a letter, on a phone. */
const BELOW_PX = 24;
const LINES = '\n'.repeat(40);

/** One person with a phone and a laptop, and the real server between them. */
describe('a draft', () => {
  const { server, visit } = sharedWorld();
  let ada: SignedIn;
  let people = 0;
  let phone: Visitor;
  let laptop: Visitor;

  beforeEach(async () => {
    people += 1;
    ada = await signUp(server.url, `Ada ${people}`);
    phone = await enter();
    laptop = await enter();
  });

  async function enter(): Promise<Visitor> {
    const visitor = await visit();
    await signIn(visitor.page, { email: ada.user.email, password: ada.password });
    await visitor.page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    return visitor;
  }

  async function begin(page: Page, title: string, letter: string): Promise<void> {
    await page.getByRole('link', { name: 'Create New Capsule' }).click();
    await page.getByLabel('Capsule Title').fill(title);
    await write(page, letter);
    await inAccount(page);
  }

  async function write(page: Page, letter: string): Promise<void> {
    await page.getByRole('tab', { name: 'Message' }).click();
    await page.getByLabel('Personal Message').fill(letter);
  }

  function inAccount(page: Page): Promise<void> {
    return page
      .getByRole('complementary')
      .getByText(/^Saved to your account/)
      .waitFor();
  }

  /** As when a person comes back to the window. */
  async function lookAt(page: Page): Promise<void> {
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  }

  async function goOn(page: Page, title: string): Promise<void> {
    await page.goto('/dashboard');
    await lookAt(page);
    await page.getByRole('link', { name: `Continue ${title}` }).click();
    await page.getByLabel('Capsule Title').waitFor();
  }

  async function letterOn(page: Page): Promise<string> {
    await page.getByRole('tab', { name: 'Message' }).click();
    return page.getByLabel('Personal Message').inputValue();
  }

  /** Above the button by which it is sealed, and not over the line that is written. */
  async function expectInSight(page: Page, text: string): Promise<void> {
    const news = page.getByRole('status').filter({ hasText: text });
    await news.waitFor();
    const [line, button, letter] = await Promise.all(
      [
        news,
        page.getByRole('button', { name: 'Create Time Capsule' }),
        page.getByLabel('Personal Message'),
      ].map((one) => one.boundingBox()),
    );
    if (!line || !button || !letter) throw new Error('Not on the page.');
    // A long letter ends with what is written, a short one has room below.
    const end = letter.y + letter.height - BELOW_PX;
    const written = letter.y < 0 ? end : letter.y + LINE_PX;
    const ends = [written, line.y, line.y + line.height, button.y + button.height];
    expect(ends).toEqual([...ends].sort((a, b) => a - b));
    expect(ends.at(-1)).toBeLessThanOrEqual(640);
  }

  async function drafts() {
    const { drafts: all } = answerOf(listDrafts, await ada.get('/api/drafts'));
    return all.flatMap(({ content }) => content ?? []);
  }

  it('written on both devices comes together, and no word is lost', async () => {
    await begin(laptop.page, 'For Mia', 'Dear');
    await laptop.page.getByRole('button', { name: '5 years' }).click();
    await goOn(phone.page, 'For Mia');
    await phone.page.getByText('in 5 years').waitFor();
    expect(await letterOn(phone.page)).toBe('Dear');

    await phone.context.setOffline(true);
    await write(phone.page, 'Dear Mia, from the train');
    await phone.page
      .getByRole('complementary')
      .getByText("It goes to your account once there's a connection.")
      .waitFor();
    await laptop.page.getByLabel('Capsule Title').fill('For Mia, at 18');
    await laptop.page.getByRole('button', { name: '18 years' }).click();
    await write(laptop.page, 'Dear Mia, from the desk');
    await until(async () => {
      const [draft] = await drafts();
      return draft?.fields.personalMessage === 'Dear Mia, from the desk' ? true : null;
    });

    await phone.context.setOffline(false);
    await expect.poll(() => letterOn(phone.page)).toBe('Dear Mia, from the desk train');
    expect(await phone.page.getByLabel('Capsule Title').inputValue()).toBe('For Mia, at 18');
    await phone.page.getByText('Changed elsewhere.').waitFor();
    await inAccount(phone.page);

    await lookAt(laptop.page);
    await expect.poll(() => letterOn(laptop.page)).toBe('Dear Mia, from the desk train');
  });

  it('goes on after a device was switched off while it was saved', async () => {
    const saved = new Promise<void>((resolve) => {
      void phone.context.route('**/api/drafts/*', async (route: Route) => {
        // The server has it, the phone never hears so.
        await route.fetch().catch(() => undefined);
        resolve();
        await route.abort().catch(() => undefined);
      });
    });
    const { page } = phone;
    await page.getByRole('link', { name: 'Create New Capsule' }).click();
    await page.getByLabel('Capsule Title').fill('Cut off');
    await write(page, 'First words');
    await saved;
    await write(page, 'First words, and more');
    await page.close();
    await phone.context.unroute('**/api/drafts/*');

    const again = await phone.context.newPage();
    await goOn(again, 'Cut off');
    await inAccount(again);
    expect(await drafts()).toMatchObject([
      { fields: { personalMessage: 'First words, and more' } },
    ]);
  });

  it('with a file of one device is sealed on the other, once', async () => {
    const file = await photo();
    await writeCapsule(laptop.page, {
      title: 'Both',
      description: 'For later',
      recipients: [ada.user.name],
      message: 'Begun at the desk',
      files: [file],
    });
    await inAccount(laptop.page);
    await expect
      .poll(() => laptop.page.getByRole('complementary').getByText('there yet').count())
      .toBe(0);

    await goOn(phone.page, 'Both');
    await phone.page.getByRole('tab', { name: 'Content' }).click();
    await phone.page.getByText('1 File(s) Selected').waitFor();
    await phone.page.getByRole('button', { name: 'Create Time Capsule' }).click();
    await phone.page.getByText('Time capsule created successfully!').waitFor();

    const form = laptop.page.url();
    const card = laptop.page.getByRole('article').filter({ hasText: 'Both' });
    await lookAt(laptop.page);
    await laptop.page.getByText('“Both” was sealed on another device.').waitFor();
    await card.waitFor();
    await laptop.page.goto(form);
    await card.waitFor();
    const { capsules } = answerOf(listCreated, await ada.get('/api/capsules/created'));
    expect(capsules).toMatchObject([{ title: 'Both', mediaCount: 1 }]);
    expect(await drafts()).toEqual([]);

    // A list that is only looked at follows as well.
    await laptop.page.goto('/dashboard');
    await phone.page.goto('/dashboard');
    const next = { title: 'Next', description: 'For later', message: 'Dear', files: [] };
    await writeCapsule(phone.page, { ...next, recipients: [ada.user.name] });
    await inAccount(phone.page);
    await laptop.page.getByRole('button', { name: 'Discard Next' }).waitFor();
    await phone.page.getByRole('button', { name: 'Create Time Capsule' }).click();
    await laptop.page.getByText('“Next” was sealed on another device.').waitFor();
    await laptop.page.getByRole('tab', { name: 'My Capsules (2)' }).waitFor();
  });

  it('that is sealed on one while somebody types on the other goes on under their fingers', async () => {
    await laptop.page.setViewportSize({ width: 360, height: 640 });
    await writeCapsule(laptop.page, {
      title: 'Both',
      description: 'For later',
      recipients: [ada.user.name],
      message: `${LINES}Begun at the desk.`,
      files: [],
    });
    await inAccount(laptop.page);
    await goOn(phone.page, 'Both');
    const letter = laptop.page.getByLabel('Personal Message');
    await letter.press('Control+End');
    await laptop.context.setOffline(true);
    await laptop.page.keyboard.type(' Since then');
    await laptop.page.evaluate(`
      globalThis.highest = scrollY;
      addEventListener('scroll', () => { highest = Math.min(highest, scrollY); });`);
    const sealed = laptop.page.url();
    await phone.page.getByRole('button', { name: 'Create Time Capsule' }).click();
    await phone.page.getByText('Time capsule created successfully!').waitFor();

    await laptop.context.setOffline(false);
    let more = '';
    while (laptop.page.url() === sealed) {
      more += ' and';
      // As fast as fingers, or nothing is ever saved before the next key.
      await laptop.page.keyboard.type(' and', { delay: 30 });
    }
    await letter.and(laptop.page.locator(':focus')).waitFor();
    await expectInSight(laptop.page, 'You sealed this on another device,');
    expect(await laptop.page.evaluate<number>('highest')).toBeGreaterThan(LINES.length * 20);
    await laptop.page.keyboard.type(', more.');
    await expect
      .poll(async () => (await drafts()).map(({ fields }) => fields.personalMessage))
      .toEqual([`${LINES}Begun at the desk. Since then${more}, more.`]);
    // It is said once.
    expect(await laptop.page.getByText('was sealed on another device').count()).toBe(0);
  });

  it('is opened by its address on a device that has not heard of it', async () => {
    await begin(laptop.page, 'Far away', 'Begun at the desk.');
    await phone.page.goto(laptop.page.url());
    await expect.poll(() => letterOn(phone.page)).toBe('Begun at the desk.');
  });

  it('that is discarded on one device and written on the other stays', async () => {
    await begin(laptop.page, 'Wanted', 'Dear');
    await phone.page.setViewportSize({ width: 360, height: 640 });
    await goOn(phone.page, 'Wanted');
    await phone.context.setOffline(true);
    await write(phone.page, 'Dear Mia');
    await laptop.page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await laptop.page.getByRole('button', { name: 'Discard Wanted' }).click();
    await answer(laptop.page, 'Discard the draft “Wanted”?', 'Discard');
    await until(async () => ((await drafts()).length === 0 ? true : null));

    await phone.context.setOffline(false);
    await inAccount(phone.page);
    await expectInSight(phone.page, 'You discarded this elsewhere.');
    await phone.page.getByRole('button', { name: 'Dismiss' }).click();
    await phone.page.getByText('You discarded this').waitFor({ state: 'detached' });
    await lookAt(laptop.page);
    const card = laptop.page.getByRole('listitem').filter({ hasText: 'Wanted' });
    await card.getByText("You discarded this here. It's back because you went on").waitFor();
    await laptop.page.getByRole('link', { name: 'Continue Wanted' }).click();
    await expect.poll(() => letterOn(laptop.page)).toBe('Dear Mia');
  });

  it('stays on the device, without a word, where the server is older', async () => {
    await phone.context.route('**/api/drafts**', (route) =>
      route.fulfill({ status: 404, json: { message: 'Not found', code: 'NOT_FOUND' } }),
    );
    const { page } = phone;
    await page.reload();
    await createCapsule(page, {
      title: 'As before',
      description: 'For later',
      recipients: [ada.user.name],
      message: 'Dear',
      files: [],
    });
    expect(await drafts()).toEqual([]);
  });
});
