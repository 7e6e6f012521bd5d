import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { PROXY_ERROR, whileBroken, whileHeld } from '../support/break-calls.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { pdf, photo } from '../support/fixtures.ts';
import { rare } from '../support/rare.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const SAVED = 'Profile updated successfully!';
const UPDATE = '/user/update-profile';
const PHOTO = '/user/update-profile-photo';
/** The browser tells nobody of a body that is a Blob, so the page itself remembers it. */
const READ_PUT = `(() => {
  const real = window.fetch;
  window.fetch = async (address, init) => {
    if (init?.method === 'PUT') window.putBody = await init.body.text();
    return real(address, init);
  };
})()`;

describe('the profile', () => {
  const world = sharedWorld();
  let page: Page;
  let ada: SignedIn;

  const name = () => page.getByLabel('Display name', { exact: true });
  const bio = () => page.getByLabel('Bio', { exact: true });
  const save = () => page.getByRole('button', { name: 'Save Changes' });
  const pick = async (file: { name: string; type: string; bytes: Buffer }) =>
    page
      .getByLabel('Avatar image')
      .setInputFiles({ name: file.name, mimeType: file.type, buffer: file.bytes });

  beforeAll(async () => {
    ada = await signUp(world.server.url, 'Ada Lovelace');
    await seal(ada, ada);
    ({ page } = await world.open());
    await signIn(page, { email: ada.user.email, password: ada.password }, '/profile');
    await name().waitFor();
  });

  it('header: initial, name, e-mail, joined date and the counts of the summary [2.routes.7 2.profile.3 2.profile.5 2.profile.7 2.profile.17]', async () => {
    const main = page.getByRole('main');
    await main.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
    await main.getByText(ada.user.email, { exact: true }).waitFor();
    const joined = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });
    await main.getByText(`Joined ${joined.format(new Date(ada.user.createdAt ?? 0))}`).waitFor();
    expect(await page.getByRole('button', { name: 'Enlarge your avatar' }).innerText()).toBe('A');
    const counts = async () =>
      (await main.locator('dl > div').allInnerTexts()).map((text) => text.match(/\d+/)?.[0]);
    await expect.poll(counts).toEqual(['1', '1', '1']);
    for (const label of ['Total capsules', 'Created', 'Received']) {
      await main.getByText(label, { exact: true }).waitFor();
    }
  });

  it('has one tab, Profile, and an e-mail that cannot be changed [2.profile.8 2.profile.11]', async () => {
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Profile']);
    expect(await page.getByLabel('Email', { exact: true }).isEditable()).toBe(false);
    await page
      .getByText('Email address cannot be changed from this page', { exact: true })
      .waitFor();
  });

  it('counts characters, and takes no more than 50 and 500 [2.profile.9 2.profile.10 9.limits.7 9.limits.8]', async () => {
    await name().fill('');
    await name().pressSequentially('x'.repeat(53));
    expect(await name().inputValue()).toBe('x'.repeat(50));
    await page.getByText('50 / 50', { exact: true }).waitFor();
    await bio().fill('y'.repeat(499));
    await page.getByText('499 / 500', { exact: true }).waitFor();
    await bio().press('End');
    await bio().pressSequentially('yyy');
    expect(await bio().inputValue()).toHaveLength(500);
  });

  it('can be saved only while something differs [4.other.6]', async () => {
    expect(await save().isEnabled()).toBe(true);
    await name().fill('Ada Lovelace');
    expect(await save().isEnabled()).toBe(true);
    await bio().fill('');
    await expect.poll(() => save().isEnabled()).toBe(false);
  });

  it('refuses a name that is missing or of one letter [5.profile.1 5.profile.2 9.limits.7]', async () => {
    await name().fill('  ');
    await save().click();
    await page.getByText('Display name is required', { exact: true }).waitFor();
    await name().fill(' A ');
    await save().click();
    await page.getByText('Display name must be at least 2 characters', { exact: true }).waitFor();
  });

  it("says why it was not saved: by field, the server's sentence, else its own [7.calls.18 8.errors.17 8.errors.18]", async () => {
    await name().fill('Ada King');
    const errors = { name: 'That name is a secret', bio: 'That bio is too true' };
    const byField = { status: 400, body: { message: 'No', code: 'VALIDATION_FAILED', errors } };
    await whileBroken(page, UPDATE, byField, async () => {
      await save().click();
      await page.getByText(errors.name, { exact: true }).waitFor();
      await page.getByText(errors.bio, { exact: true }).waitFor();
    });
    const said = { status: 500, body: { message: 'The ink is dry', code: 'INTERNAL' } };
    await whileBroken(page, UPDATE, said, async () => {
      await save().click();
      await page.getByText('The ink is dry', { exact: true }).waitFor();
    });
    await whileBroken(page, UPDATE, PROXY_ERROR, async () => {
      await save().click();
      await page.getByText('Failed to update profile', { exact: true }).waitFor();
    });
  });

  it('is busy while saving, says that it is saved, and stops saying so at the next edit [4.other.7 4.other.8]', async () => {
    let saves = 0;
    page.on('request', (request) => {
      if (request.url().endsWith(UPDATE)) saves += 1;
    });
    await bio().fill('Engines ');
    await whileHeld(page, UPDATE, async () => {
      await save().click();
      await page.getByRole('button', { name: 'Saving...', disabled: true }).waitFor();
      await name().press('Enter');
      await bio().fill('Typed while it was saved');
    });
    await page.getByText(SAVED, { exact: true }).waitFor();
    await expect.poll(() => saves).toBe(1);
    expect(await bio().inputValue()).toBe('Typed while it was saved');
    await bio().fill('Engines');
    await page.getByRole('heading', { level: 1, name: 'Ada King' }).waitFor();
    await expect.poll(() => save().isEnabled()).toBe(false);
    await bio().fill('Poet of numbers');
    await page.getByText(SAVED).waitFor({ state: 'detached' });
    await save().click();
    await page.getByText(SAVED, { exact: true }).waitFor();
  });

  it('sends name and bio trimmed, in the full user [7.calls.17]', async () => {
    await bio().fill('  Poet of engines ');
    await page.evaluate(READ_PUT);
    await save().click();
    // The button has nothing more to save: the focus goes on beside it.
    await page.getByText(SAVED, { exact: true }).and(page.locator(':focus')).waitFor();
    const body = JSON.parse(await page.evaluate<string>('putBody'));
    expect(body).toEqual({ ...ada.user, name: 'Ada King', bio: 'Poet of engines' });
  });

  it('refuses an avatar that is no image, or of 5 MB [5.profile.5 5.profile.6 9.limits.9]', async () => {
    await pick(pdf());
    await page.getByText('Please select an image file', { exact: true }).waitFor();
    await pick({ name: 'big.png', type: 'image/png', bytes: Buffer.alloc(5_242_880) });
    await page.getByText('Image size must be less than 5MB', { exact: true }).waitFor();
  });

  it("says why an avatar was not taken: the server's sentence, else its own [8.errors.16]", async () => {
    const image = await photo();
    const said = { status: 500, body: { message: 'Out of paint', code: 'INTERNAL' } };
    await whileBroken(page, PHOTO, said, async () => {
      await pick(image);
      await page.getByText('Out of paint', { exact: true }).waitFor();
    });
    await whileBroken(page, PHOTO, 'cut', async () => {
      await pick(image);
      await page.getByText('Failed to upload avatar', { exact: true }).waitFor();
    });
  });

  it('enlarges an initial too, and closes on Escape [2.profile.15]', async () => {
    await page.getByRole('button', { name: 'Enlarge your avatar' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Click outside or press ESC to close', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('takes an image as avatar: busy, then shown, and enlarged by a click [2.profile.12 2.profile.13 2.profile.15 4.other.4 4.other.5]', async () => {
    await whileHeld(page, PHOTO, async () => {
      await pick(await photo());
      await page.getByRole('button', { name: 'Uploading...', disabled: true }).waitFor();
    });
    await page.getByRole('status').getByText('Avatar updated.').waitFor();
    const image = page.getByRole('button', { name: 'Enlarge your avatar' }).locator('img');
    await image.waitFor();
    expect(await image.getAttribute('src')).toMatch(/^\/uploads\//);
    await page.getByRole('button', { name: 'Enlarge your avatar' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: 'Avatar of Ada King' }).waitFor();
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: 'detached' });
  });

  rare(
    'keeps what is typed over a reload, whatever another device saves, until it is saved or discarded',
    async () => {
      await bio().press('End');
      await page.keyboard.type(', and half a sentence');
      const elsewhere = { ...ada.user, name: 'Ada Byron', bio: 'Great poet of engines' };
      expect((await ada.put(UPDATE, elsewhere)).status).toBe(200);
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Ada Byron' }).waitFor();
      const mine = 'Poet of engines, and half a sentence';
      expect(await bio().inputValue()).toBe(mine);
      // The one that saves last stands.
      await save().click();
      await page.getByText(SAVED, { exact: true }).waitFor();
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Ada King' }).waitFor();
      expect(await bio().inputValue()).toBe(mine);
      await expect.poll(() => save().isEnabled()).toBe(false);
      await bio().fill('A slip');
      await page.getByRole('button', { name: 'Discard changes' }).click();
      expect(await bio().inputValue()).toBe(mine);
    },
  );

  it('enlarges an avatar that fails while it is pressed, and says that it does not load [2.profile.14]', async () => {
    const visitor = await world.open({ storageState: await page.context().storageState() });
    let press = () => {};
    const pressed = new Promise<void>((resolve) => {
      press = resolve;
    });
    await visitor.page.route(/\/uploads\//, async (route) => {
      await pressed;
      await route.abort();
    });
    await visitor.page.goto('/profile');
    const avatar = visitor.page.getByRole('button', { name: 'Enlarge your avatar' });
    await avatar.locator('img').waitFor();
    await avatar.hover();
    await visitor.page.mouse.down();
    press();
    await avatar.getByText('A', { exact: true }).waitFor();
    await visitor.page.mouse.up();
    await visitor.page.getByRole('dialog').getByText('Failed to load image').waitFor();
    await visitor.close();
  });

  it('says when there is no user to show [2.profile.2]', async () => {
    const visitor = await world.open({ storageState: await page.context().storageState() });
    await whileBroken(visitor.page, '/user/me', PROXY_ERROR, async () => {
      await visitor.page.goto('/profile');
      await visitor.page.getByText('Unable to load profile information', { exact: true }).waitFor();
    });
    await visitor.close();
  });
});
