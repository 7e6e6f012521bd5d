import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { PROFILE_LOAD_HINT } from '../../client/pages/format.ts';
import type { Visitor } from '../support/browser.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { pdf } from '../support/fixtures.ts';
import { answer, chooseFor, fillCapsule, signIn, unfoldFigures } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

/** Texts that the submit button has shown, in turn. */
const WATCH_BUTTON = `
  window.shown = [];
  new MutationObserver(() => {
    const buttons = [...document.querySelectorAll('aside button')].map((button) => button.textContent);
    const text = buttons.find((text) => text.startsWith('Uploading'));
    if (text && text !== window.shown.at(-1)) window.shown.push(text);
  }).observe(document, { subtree: true, childList: true, characterData: true });
`;

/** Counts the forms that come onto the page. */
const COUNT_FORMS = `
  globalThis.forms = 0;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node.nodeType === 1) forms += node.matches('form') + node.querySelectorAll('form').length;
  }).observe(document, { childList: true, subtree: true });
`;

/** As some systems hand it over: without a type. */
const DROP_HEIC = `(() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(['ftypheic'], 'IMG_0001.HEIC', { type: '' }));
  const zone = document.querySelector('label:has([type=file])');
  zone.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
})()`;

describe('what people met in everyday use', () => {
  const { server, open } = sharedWorld();
  let ada: SignedIn;
  let visitor: Visitor;
  let page: Page;

  const main = () => page.getByRole('main');
  const banner = (name: string) =>
    page.getByRole('banner').getByRole('link', { name, exact: true }).click();

  beforeAll(async () => {
    ada = await signUp(server.url, 'Ada Lovelace');
    await seal(ada, ada, { title: 'The lake' });
    visitor = await open();
    page = visitor.page;
    await page.addInitScript(WATCH_BUTTON);
    await signIn(page, { email: ada.user.email, password: ada.password });
  });

  it('who comes back by the header finds the tab that was shown last', async () => {
    const received = page.getByRole('tab', { name: /^Shared With Me/, selected: true });
    const own = page.getByRole('tab', { name: /^My Capsules/, selected: true });
    await own.waitFor();
    await page.getByRole('tab', { name: /^Shared With Me/ }).click();
    await received.waitFor();
    await banner('Create Capsule');
    await page.getByLabel('Capsule Title').waitFor();
    await banner('Dashboard');
    await received.waitFor();
    await page.getByRole('tab', { name: /^My Capsules/ }).click();
    await own.waitFor();
    await banner('Home');
    await banner('Dashboard');
    await own.waitFor();
  });

  it('a capsule that the server counts as open stands as “Unlocked!” among the next ones', async () => {
    await page.route('**/api/capsules/dashboard-summary*', async (route) => {
      const response = await route.fetch();
      const summary = await response.json();
      for (const next of summary.nextUnlocks) next.daysRemaining = 0;
      await route.fulfill({ response, json: summary });
    });
    await page.goto('/dashboard');
    await unfoldFigures(page);
    await page.locator('[data-colour=red]').getByText('Unlocked!', { exact: true }).waitFor();
    await page.unroute('**/api/capsules/dashboard-summary*');
  });

  it('the question before a capsule is deleted names it', async () => {
    await chooseFor(page, 'The lake', 'Delete');
    await page.getByRole('alertdialog', { name: 'Delete “The lake”?' }).waitFor();
    await answer(page, 'Are you sure you want to delete this capsule?', 'Cancel');
  });

  it('refused fields are marked also by a code that this app does not know', async () => {
    await page.goto('/profile');
    await page.getByLabel('Display Name').fill('Ada King');
    const errors = { name: 'This name is taken in your attic' };
    await page.route('**/user/update-profile', (route) =>
      route.fulfill({ status: 400, json: { message: 'No', code: 'FROM_THE_FUTURE', errors } }),
    );
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByText(errors.name).waitFor();
    await page.unroute('**/user/update-profile');
  });

  it('a profile stays in place while a device learns who is signed in', async () => {
    const fresh = await open({ storageState: await page.context().storageState() });
    await fresh.page.addInitScript(COUNT_FORMS);
    await fresh.page.goto('/profile');
    // The counts are asked for once the device knows the person.
    await fresh.page.locator('dl[data-loading="false"]').waitFor();
    expect(await fresh.page.evaluate('forms')).toBe(1);
    await fresh.close();
  });

  it('a profile that cannot be loaded says what to try; without a date: Recently', async () => {
    const storageState = await page.context().storageState();
    const fresh = await open({ storageState });
    let answerWith: object = {
      status: 500,
      json: { message: 'The attic is shut.', code: 'INTERNAL' },
    };
    await fresh.page.route('**/user/me', (route) => route.fulfill(answerWith));
    await fresh.page.goto('/profile');
    await fresh.page.getByText('Unable to load profile information').waitFor();
    await fresh.page.getByText(`The attic is shut. ${PROFILE_LOAD_HINT}`).waitFor();

    answerWith = { json: { ...ada.user, createdAt: null } };
    await fresh.page.getByRole('button', { name: 'Try again' }).click();
    await fresh.page.getByText('Joined Recently').waitFor();

    await fresh.page.route('**/community/public-profile*', (route) =>
      route.fulfill({ json: null }),
    );
    await fresh.page.goto(`/profile/${ada.user.id}`);
    await fresh.page.getByRole('heading', { name: 'Profile Not Found' }).waitFor();
    await fresh.page.getByText("This user profile doesn't exist or is private.").waitFor();
  });

  it('a photo of a phone whose type the system does not name is called by its extension', async () => {
    await page.goto('/create');
    await page.getByLabel('Capsule Title').waitFor();
    await page.evaluate(DROP_HEIC);
    await main()
      .getByText(/^HEIC image · /)
      .waitFor();
    // Before that, it is removed without a question.
    await main()
      .getByRole('listitem')
      .getByText(/^(Waiting to be copied|Copying)/)
      .waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove IMG_0001.HEIC' }).click();
    await page.getByRole('button', { name: 'OK' }).click();
  });

  it('the button counts up to 100 % and not back to 0 %', async () => {
    await page.goto('/dashboard');
    await fillCapsule(page, {
      title: 'Counted',
      description: 'Upwards',
      recipients: ['Ada Lovelace'],
      message: 'One, two',
      files: [pdf()],
    });
    await page.getByRole('button', { name: 'Create Time Capsule' }).click();
    await page.getByText('Time capsule created successfully!').waitFor();
    const shown = await page.evaluate<string[]>('window.shown');
    const percents = shown.flatMap((text) => /(\d+)%/.exec(text)?.[1] ?? []).map(Number);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(percents.at(-1)).toBe(100);
  });

  it('a capsule that waits says why in the outbox', async () => {
    await page.goto('/dashboard');
    await page.route('**/api/capsules', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 503,
            json: { message: 'The attic is full of people.', code: 'BUSY' },
          })
        : route.continue(),
    );
    await fillCapsule(page, {
      title: 'Parked',
      description: 'For a while',
      recipients: ['Ada Lovelace'],
      message: 'Wait',
      files: [],
    });
    await page.getByRole('button', { name: 'Create Time Capsule' }).click();
    await page.getByRole('link', { name: 'Open outbox' }).click();
    const card = page.getByRole('article', { name: 'Parked' });
    await card.getByText('We lost the connection before we heard back.').waitFor();
  });
});
