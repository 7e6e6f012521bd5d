import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openContributionLink } from '../../shared/api/contributions.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { lookAtMoments, sealingMoment } from '../support/browser.ts';
import { answerOf, PASSWORD, signUpAnother } from '../support/client.ts';
import { namedFile, Writer } from '../support/contributions.ts';
import { photo } from '../support/fixtures.ts';
import { answer, signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const WORDS = 'A story of when she was small.';

describe('asking others to add to a draft', () => {
  const { server, open } = sharedWorld({ wholeBrowser: true });

  let email = '';

  async function begin(title: string): Promise<Page> {
    const anna = await signUpAnother(server.url, 'Anna Lind');
    email = anna.user.email;
    const { page } = await open();
    await signIn(page, { email: anna.user.email, password: PASSWORD }, '/create');
    await page.getByLabel('Capsule Title').fill(title);
    return page;
  }

  async function ask(page: Page, button = 'Ask others to add something'): Promise<string> {
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog', { name: 'Ask others to add' });
    await dialog.getByLabel('A note to them').fill(WORDS);
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    await dialog.waitFor({ state: 'detached' });
    // On a phone it would lie beneath the bar.
    await page.getByRole('button', { name: 'Copy the link' }).and(page.locator(':focus')).waitFor();
    const link = await page.getByText(/\/add#[\w-]{43}/).textContent();
    return link?.split('#')[1] ?? '';
  }

  it('makes a link, shows who has added, and removes it unread', async () => {
    const page = await begin('For Mia, 18');
    const token = await ask(page);
    await page.getByText(WORDS).waitFor();
    const karl = new Writer(server.url, token);
    const picture = await photo('The lake.jpg');
    const named = namedFile(picture);
    await karl.save(0, { name: 'Grandpa Karl', letter: 'My blessing', files: [named] });
    await karl.upload(named, picture.bytes);
    await new Writer(server.url, token).save(0, { name: 'Aunt Tove', letter: 'So small' });

    // The open page follows.
    await page.getByRole('button', { name: 'Remove what Aunt Tove added' }).waitFor();
    await page.getByText(/^A letter and 1 file, \d+ KB, \d+:\d+/).waitFor();
    await page.getByText('Grandpa Karl, Aunt Tove', { exact: true }).waitFor();
    // Another device shows the same link.
    const laptop = await open();
    await signIn(laptop.page, { email, password: PASSWORD });
    // It has never asked who has added before.
    await laptop.page.getByText(/Grandpa Karl and Aunt Tove have added something\.$/).waitFor();
    await laptop.page.getByRole('link', { name: 'Continue For Mia, 18' }).click();
    await laptop.page.getByText(`/add#${token}`).waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);
    const body = await page.evaluate('document.body.innerText');
    expect(body).not.toContain('My blessing');

    await page.getByRole('button', { name: 'Remove what Aunt Tove added' }).click();
    await answer(page, 'Remove what Aunt Tove added?', 'Remove it');
    await page.getByText("Aunt Tove's part was removed.").waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Put it back: what Aunt Tove added' }).click();
    await page.getByRole('button', { name: 'Remove what Aunt Tove added' }).click();
    await answer(page, 'Remove what Aunt Tove added?', 'Remove it');
    await page.getByText("Aunt Tove's part was removed.").waitFor();
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByText('What 1 person added goes with it.').waitFor();
  });

  it('another device with the draft open shows the link and who has added within seconds', async () => {
    const page = await begin('For Ada, 6');
    const phone = await open();
    await signIn(phone.page, { email, password: PASSWORD });
    await phone.page.getByRole('link', { name: 'Continue For Ada, 6' }).click();
    await phone.page.getByRole('button', { name: 'Ask others to add something' }).waitFor();
    const token = await ask(page);
    const soon = { timeout: 15_000 };
    await phone.page.getByText(`/add#${token}`).waitFor(soon);
    await new Writer(server.url, token).save(0, { name: 'Grandpa Karl', letter: 'My blessing' });
    const added = phone.page.getByRole('button', { name: 'Remove what Grandpa Karl added' });
    await added.waitFor(soon);
  });

  it('makes a link while a film is on its way', async () => {
    const page = await begin('With a film');
    const isUpload = (url: URL) => url.pathname.startsWith('/api/uploads');
    const upload = page.waitForRequest((request) => isUpload(new URL(request.url())));
    await page.route(isUpload, () => undefined);
    const { name, type, bytes } = await photo('The lake.jpg');
    const picked = { name, mimeType: type, buffer: bytes };
    await page.locator('input[type=file]').first().setInputFiles(picked);
    await upload;
    // The upload is under way, and what was begun after it doesn't wait.
    await page.goto('/create');
    await page.getByLabel('Capsule Title').fill('For Ben');
    expect(await ask(page)).toHaveLength(43);
  });

  it('the moment of sealing names who is in it', async () => {
    const page = await begin('For Ida');
    const token = await ask(page);
    await page.getByLabel('Description', { exact: true }).fill('In winter');
    await page.getByRole('button', { name: '1 year', exact: true }).click();
    await page.getByRole('button', { name: 'Select Recipients' }).click();
    await page.getByRole('dialog').getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Confirm Selection (1)' }).click();
    await page.getByRole('button', { name: 'Create Time Capsule' }).click();
    await page.getByText(/letter and no file in it\. Nobody has added anything yet/).waitFor();
    await answer(page, 'Seal it anyway?', 'Not yet');

    await new Writer(server.url, token).save(0, { name: 'Grandpa Karl', letter: 'My blessing' });
    await page.reload();
    await page.getByRole('button', { name: 'Remove what Grandpa Karl added' }).waitFor();
    // What is refused goes back as the same draft, with what others have added.
    const refusal = { message: 'There is no room.', code: 'STORAGE_LIMIT_REACHED' };
    await page.route('/api/capsules', (route) => route.fulfill({ status: 413, json: refusal }));
    await page.getByRole('button', { name: 'Create Time Capsule' }).click();
    await page.getByText(refusal.message).waitFor();
    await page.unroute('/api/capsules');
    await page.getByRole('button', { name: 'Remove what Grandpa Karl added' }).waitFor();
    // What comes from now on is known to the server alone.
    await page.route(/\/api\/drafts\/.*\/contributions/, () => undefined);
    await new Writer(server.url, token).save(0, { name: 'Aunt Tove', letter: 'And mine' });
    await lookAtMoments(page);
    await page.getByRole('button', { name: 'Create Time Capsule' }).click();
    const moment = sealingMoment(page);
    await moment.getByText('With letters from Grandpa Karl and Aunt Tove').waitFor();
    await page.locator('dialog[data-rests]').waitFor();
    await moment.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'View details' }).first().click();
    const facts = page.getByRole('dialog').locator('dl > div');
    await facts.filter({ hasText: 'Added by' }).getByText('Grandpa Karl and Aunt Tove').waitFor();
  });

  it('tells those who are asked whom it is for, unless it is a surprise', async () => {
    const page = await begin('For Mia');
    await page.getByRole('button', { name: '1 year', exact: true }).click();
    const link = async (token: string) =>
      answerOf(openContributionLink, await new Writer(server.url, token).open());
    const token = await ask(page);
    await expect
      .poll(() => link(token))
      .toMatchObject({ dateToUnlock: expect.stringMatching(/^\d/) });
    await page.getByRole('button', { name: 'Turn off the link' }).click();
    await answer(page, 'Turn off the link?', 'Turn it off');
    await page.getByRole('button', { name: 'Ask others to add something' }).click();
    await page.getByLabel('Make it a surprise').check();
    await page.getByText("They'll see your name, the title “For Mia” and your note.").waitFor();
    await page.getByRole('button', { name: 'Make the link' }).click();
    await page.getByText("They aren't told whom it's for or when it opens.").waitFor();
    const text = await page.getByText(/\/add#[\w-]{43}/).textContent();
    expect(await link(text?.split('#')[1] ?? '')).not.toHaveProperty('dateToUnlock');
  });

  it('renews and ends the link, and says what it needs', async () => {
    const page = await begin('For Per');
    const former = await ask(page);
    expect((await new Writer(server.url, former).open()).status).toBe(200);
    await page.getByRole('button', { name: 'Turn off the link' }).click();
    await answer(page, 'Turn off the link?', 'Turn it off');
    const token = await ask(page);
    expect((await new Writer(server.url, former).open()).status).toBe(404);
    expect((await new Writer(server.url, token).open()).status).toBe(200);
    await page.getByRole('button', { name: 'Turn off the link' }).click();
    await answer(page, 'Turn off the link?', 'Turn it off');
    await page.getByRole('button', { name: 'Ask others to add something' }).waitFor();
    expect((await new Writer(server.url, token).open()).status).toBe(404);

    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Ask others to add something' }).click();
    await page.getByRole('button', { name: 'Make the link' }).click();
    await page.getByText('You need a connection to change this.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.context().setOffline(false);
  });
});
