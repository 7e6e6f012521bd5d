import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { listAdded } from '../../shared/api/contributions.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { answerOf, expectStatus, type SignedIn, signUp } from '../support/client.ts';
import { linkPath, newDraft, newLink, sealDraft } from '../support/contributions.ts';
import { backOnline } from '../support/dispatch-sync.ts';
import { type FixtureFile, photo } from '../support/fixtures.ts';
import { rare } from '../support/rare.ts';
import { answer } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const WORDS = 'Something for her to read when she moves out.';

describe('the page on which others add to a draft', () => {
  const { server, open, visit } = sharedWorld({ wholeBrowser: true });
  let anna: SignedIn;

  beforeAll(async () => {
    anna = await signUp(server.url, 'Anna Lind');
  });

  async function ask() {
    const draft = await newDraft(anna);
    return { draft, token: await newLink(anna, draft, { words: WORDS }) };
  }

  /** What the organiser sees of those who added. */
  async function added(draft: string) {
    const list = answerOf(listAdded, await anna.get(`/api/drafts/${draft}/contributions`));
    return list.contributions.map(({ name, hasLetter, fileCount }) => [name, hasLetter, fileCount]);
  }

  async function write(page: Page, name: string, letter: string, files: FixtureFile[] = []) {
    await page.getByLabel('Your name').fill(name);
    await page.getByLabel('Your letter').fill(letter);
    if (files.length > 0) {
      const picked = files.map((file) => ({
        ...{ name: file.name, mimeType: file.type, buffer: file.bytes },
      }));
      await page.locator('input[type=file]').setInputFiles(picked);
      await page.getByText(`${files.length} File(s) Selected`).waitFor();
      await page.getByText(/^(Waiting to be copied|Copying)…/).waitFor({ state: 'detached' });
    }
    await page.getByText(/^Saved in this browser/).waitFor();
  }

  const give = (page: Page, who = ' to Anna') =>
    page.getByRole('button', { name: `Send it${who}` }).click();

  it('says who asks, and takes a letter with a photo', async () => {
    const { draft, token } = await ask();
    const { page, problems } = await open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`/add#${token}`);
    await page.getByRole('heading', { name: 'Add to “For Mia, 18”' }).waitFor();
    await page.getByText(WORDS).waitFor();
    await page.getByText('Anna Lind is making a time capsule. Nobody can read it').waitFor();
    await write(page, 'Grandpa Karl', 'My blessing.', [await photo('The lake.jpg')]);
    await give(page);
    const sent = page.getByRole('heading', { name: 'Sent to Anna', exact: true });
    await sent.waitFor();
    // What replaces the pressed button is in sight, and read out.
    await expect.poll(() => page.locator('[data-state]:focus').count()).toBe(1);
    expect(await added(draft)).toEqual([['Grandpa Karl', true, 1]]);
    // The token and the secret stand in no address.
    expect(asked.filter((address) => address.includes(token))).toEqual([]);
    expect(problems).toEqual([]);

    await page.goto('/add');
    await page.getByRole('heading', { name: 'Sent to Anna', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Change it' }).click();
    await page.getByLabel('Your name').fill('Grandfather');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => added(draft)).toEqual([['Grandfather', true, 1]]);
    await page.getByRole('button', { name: 'Take it back' }).click();
    await answer(page, 'Take it back?', 'Take it back');
    await page.getByText("Taken back. It's only in this browser now.").waitFor();
    await expect.poll(() => added(draft)).toEqual([]);
    // What was written stays, and can be sent again, its file as well.
    await give(page);
    await expect.poll(() => added(draft)).toEqual([['Grandfather', true, 1]]);
  });

  rare(
    'written without a connection, it outlives the page and arrives once with no page open',
    async () => {
      const { draft, token } = await ask();
      const { context, page } = await visit();
      await page.goto(`/add#${token}`);
      await page.getByText(WORDS).waitFor();
      expect(await axeInBothSchemes(page)).toEqual([]);
      await page.evaluate('navigator.serviceWorker.ready');
      await context.setOffline(true);
      await write(page, 'Aunt Tove', 'From the train.', [await photo('The lake.jpg')]);
      await page.reload();
      await page.getByText(WORDS).waitFor();
      await expect.poll(() => page.getByLabel('Your letter').inputValue()).toBe('From the train.');
      await give(page);
      await page.getByRole('heading', { name: 'Waiting to be sent' }).waitFor();
      await page.close();
      expect(await added(draft)).toEqual([]);
      await backOnline(context, server.url, 'time-capsule-adding');
      await expect.poll(() => added(draft)).toEqual([['Aunt Tove', true, 1]]);

      const next = await context.newPage();
      await next.goto('/add');
      await next.getByRole('heading', { name: 'Sent to Anna', exact: true }).waitFor();
      expect(await axeInBothSchemes(next)).toEqual([]);
      expect(await added(draft)).toHaveLength(1);
    },
  );

  rare('a second link in the same tab adds to what it is for', async () => {
    const mias = await ask();
    const ben = await signUp(server.url, 'Ben Roth');
    const bens = await newDraft(ben);
    const token = await newLink(ben, bens, { words: 'For the silver wedding.' });
    const { page } = await open();
    await page.goto(`/add#${mias.token}`);
    await write(page, 'Karl', 'For Mia.');
    await page.goto(`/add#${token}`);
    await page.getByText('For the silver wedding.').waitFor();
    expect(await page.getByLabel('Your letter').inputValue()).toBe('');
    await write(page, 'Karl', 'For your wedding.');
    await give(page, ' to Ben');
    await page.getByRole('heading', { name: 'Sent to Ben', exact: true }).waitFor();
    const list = answerOf(listAdded, await ben.get(`/api/drafts/${bens}/contributions`));
    expect(list.contributions.map(({ name }) => name)).toEqual(['Karl']);
    expect(await added(mias.draft)).toEqual([]);

    // What was begun by the first link is still there, and Back leads to it.
    await page.goBack();
    await page.getByText(WORDS).waitFor();
    expect(await page.getByLabel('Your letter').inputValue()).toBe('For Mia.');
    // Nothing was typed yet by this one.
    await page.goto(`/add#${(await ask()).token}`);
    await page.getByRole('heading', { name: /^Add to/ }).waitFor();
    await expect.poll(() => page.getByLabel('Your letter').inputValue()).toBe('');
  });

  rare('an ended link says whom to ask, and is not tried again', async () => {
    const { draft, token } = await ask();
    const { page } = await open();
    await page.goto(`/add#${token}`);
    await write(page, 'Karl', 'My blessing.');
    expectStatus(await anna.delete(linkPath(draft)), 200);
    await give(page);
    await page.getByRole('heading', { name: "This link doesn't work any more" }).waitFor();
    await page
      .getByText('Ask Anna for a new link. What you wrote is safe in this browser.')
      .waitFor();
    await page.getByText('My blessing.').waitFor();
    await page.context().grantPermissions(['clipboard-write']);
    await page.getByRole('button', { name: 'Copy your letter' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.getByRole('button', { name: 'Send it again' }).count()).toBe(0);
    // By a new link it goes.
    await page.goto(`/add#${await newLink(anna, draft)}`);
    await page.getByRole('button', { name: /^Karl/ }).click();
    await page.getByRole('button', { name: 'Send it again' }).click();
    await page.getByRole('heading', { name: 'Sent to Anna', exact: true }).waitFor();
    const list = `/api/drafts/${draft}/contributions`;
    const [karl] = answerOf(listAdded, await anna.get(list)).contributions;
    expect(karl?.name).toBe('Karl');
    // Removed, it can't be sent again by a link that is off.
    expectStatus(await anna.delete(`${list}/${karl?.id}`), 200);
    expectStatus(await anna.delete(linkPath(draft)), 200);
    await page.reload();
    await page.getByRole('heading', { name: "It isn't there any more" }).waitFor();
    const again = page.getByRole('button', { name: 'Send it again' });
    await expect.poll(() => again.count()).toBe(0);
  });

  rare('leads back with one press, however much was typed', async () => {
    const { token } = await ask();
    const { page } = await open();
    await page.goto(`/add#${token}`);
    await page.getByText(WORDS).waitFor();
    const before = await page.evaluate('history.length');
    await page.getByLabel('Your letter').pressSequentially('Dear Mia');
    await page.getByText(/^Saved in this browser/).waitFor();
    expect(await page.evaluate('history.length')).toBe(before);
  });

  rare('a sealed one is in, and one that came too late stays with its writer', async () => {
    const draft = await newDraft(anna, 'For Mia, 18', '2030-11-30');
    const token = await newLink(anna, draft);
    const { page } = await open();
    await page.goto(`/add#${token}`);
    await write(page, 'Per', 'You were so small.');
    await give(page);
    await page.getByRole('heading', { name: 'Sent to Anna', exact: true }).waitFor();
    const late = await open();
    await late.page.goto(`/add#${token}`);
    await write(late.page, 'Ida', 'I was on my way.');
    await sealDraft(anna, draft);

    await give(late.page);
    await late.page.getByRole('heading', { name: 'It came too late' }).waitFor();
    await late.page.getByText('I was on my way.').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sealed' }).waitFor();
    await page.getByText(/it was to open on .*30.* 2030\./).waitFor();
    const another = await open();
    await another.page.goto(`/add#${token}`);
    await another.page.getByRole('heading', { name: "It's sealed already" }).waitFor();
    await another.page.getByText(/^Nothing more can be added. Please ask Anna/).waitFor();
  });
});
