import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Capsule } from '../../shared/api/capsules.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const QUESTION = "Let Ada know that you've read it?";
const NOW = '2030-01-01T12:00:00Z';

describe('after a letter was read', () => {
  const world = sharedWorld({ clock: '2029-12-31T12:00:00Z' });
  let ada: SignedIn;
  let grace: SignedIn;
  let long: Capsule;
  let short: Capsule;
  let mary: SignedIn;
  let forMary: Capsule;

  const question = (page: Page) => page.getByRole('dialog').getByText(QUESTION);
  const answer = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

  beforeAll(async () => {
    const { url } = world.server;
    [ada, grace, mary] = await Promise.all([
      signUp(url, 'Ada Lovelace'),
      signUp(url, 'Grace Hopper'),
      signUp(url, 'Mary Somerville'),
    ]);
    forMary = await seal(ada, mary, { title: 'For Mary' });
    const personalMessage = `${'Dear Grace, the lake is frozen again.\n\n'.repeat(60)}The end.`;
    long = await seal(ada, grace, { title: 'A long letter', personalMessage });
    short = await seal(ada, grace, { title: 'A short letter' });
    world.server.clock.set(NOW);
    for (const { id } of [long, short]) await grace.put(`/api/capsules/${id}/seen`);
    await mary.put(`/api/capsules/${forMary.id}/seen`);
  });

  async function read(person: SignedIn, capsule: Capsule) {
    const { page, context } = await world.open({ reducedMotion: 'reduce' });
    await page.clock.install({ time: NOW });
    await signIn(
      page,
      { email: person.user.email, password: person.password },
      `/dashboard?capsule=${capsule.id}`,
    );
    await page.getByRole('dialog', { name: capsule.title }).getByText('Description').waitFor();
    return { page, context };
  }

  it('asks once whether its sender may know, and only a yes shows them the day', async () => {
    const { page } = await read(grace, long);
    await question(page).waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);
    await answer(page, 'Yes');
    await page.getByText("Ada knows you've read it.").waitFor();
    const sender = await read(ada, long);
    await sender.page.getByText('Grace Hopper opened it on 1 January 2030').waitFor();
    await page.reload();
    await page.getByText('Ada knows you opened it on 1 January 2030').waitFor();
    expect(await question(page).count()).toBe(0);
  });

  it('asks with a connection alone, and takes no for an answer', async () => {
    const { page, context } = await read(grace, short);
    await question(page).waitFor();
    await context.setOffline(true);
    await question(page).waitFor({ state: 'detached' });
    await context.setOffline(false);
    await question(page).waitFor();
    await answer(page, 'Not now');
    await page.getByText("We won't tell Ada.").waitFor();
    await page.goto('/profile/emails');
    const choice = page.getByRole('combobox', { name: "When you've read a capsule" });
    await expect.poll(() => choice.inputValue()).toBe('ask');
    await choice.selectOption('Always let the sender know');
    const saved = async () => ((await grace.get('/user/notices')).json as { read: string }).read;
    await expect.poll(saved).toBe('always');
    const sender = await read(ada, short);
    expect(await sender.page.getByText('opened it on').count()).toBe(0);
  });

  it('tells nobody by a choice that was taken back on another device', async () => {
    const choose = (read: string) =>
      mary.put('/user/notices', { waiting: true, opened: true, read });
    await choose('always');
    const { page } = await world.open({ reducedMotion: 'reduce' });
    await page.clock.install({ time: NOW });
    const { email } = mary.user;
    await signIn(page, { email, password: mary.password }, '/profile');
    await page.getByRole('link', { name: 'Emails and addresses' }).click();
    const choice = page.getByRole('combobox', { name: "When you've read a capsule" });
    await expect.poll(() => choice.inputValue()).toBe('always');
    await choose('never');
    const calls: string[] = [];
    page.on('request', (request) =>
      calls.push(`${request.method()} ${new URL(request.url()).pathname}`),
    );
    await page.goto(`/dashboard?capsule=${forMary.id}`);
    await page.getByRole('dialog').getByText('Print the letter').waitFor();
    // What this device remembers is asked about.
    await expect
      .poll(() => calls.filter((call) => call === 'GET /user/notices').length)
      .toBeGreaterThan(0);
    await page.reload();
    await page.getByRole('dialog').getByText('Print the letter').waitFor();
    expect(calls.filter((call) => call.startsWith('PUT'))).toEqual([]);
  });
});
