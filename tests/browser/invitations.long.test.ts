import { beforeAll, describe, expect, it } from 'vitest';
import { updateUser } from '../../server/db/accounts/users.ts';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { forgetEmails } from '../support/addresses.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { breakCalls } from '../support/break-calls.ts';
import { lookAtMoments } from '../support/browser.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { arrive, capsuleFor, create, PASSWORD } from '../support/inviting.ts';
import { sealedBy } from '../support/ledger.ts';
import { KEPT } from '../support/queue.ts';
import { fillCapsule, signIn, writeCapsule } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

describe('where addresses are confirmed, in rarer states', () => {
  const { server, open } = sharedWorld();
  let anna: SignedIn;
  beforeAll(async () => {
    anna = await signUp(server.url, 'Anna Becker');
    await server.confirmAddresses(true);
    await updateUser(server.deps.db, anna.user.id, { emailVerifiedAt: new Date() });
  });

  it('a capsule that invites somebody has arrived though its answer was lost', async () => {
    const { page } = await open();
    await signIn(page, { email: anna.user.email, password: anna.password });
    await fillCapsule(page, capsuleFor('nephew@example.com', 'Answer lost'));
    await page.route(
      (url) => url.pathname === createCapsule.path,
      async (route) => {
        await route.fetch();
        await route.abort('connectionfailed');
      },
      { times: 1 },
    );
    await create(page);
    const titles = async () =>
      (await sealedBy(server.deps, anna.user.id)).map(({ title }) => title);
    await expect.poll(titles).toContain('Answer lost');
    await page.goto('/outbox');
    // As where a connection comes back: what waits only for it is tried at once.
    const isSent = async () => {
      await page.evaluate('dispatchEvent(new Event("online"))');
      return page.getByText('Nothing is waiting.').isVisible();
    };
    await expect.poll(isSent).toBe(true);
  });

  it('beyond the invitations of a day a capsule waits in the outbox, which says why', async () => {
    const { page } = await open();
    await signIn(page, { email: anna.user.email, password: anna.password });
    await fillCapsule(page, capsuleFor('cousin@example.com', 'For tomorrow'));
    const message = "You've invited 20 people within a day.";
    const body = { message, code: 'RATE_LIMITED' };
    await breakCalls(page, createCapsule.path, { status: 429, body });
    await create(page);
    // Until it is in the outbox it is a draft.
    await page.getByText(message).first().waitFor();
    await page.goto('/outbox');
    await page.getByRole('heading', { name: 'For tomorrow' }).waitFor();
    await page.getByText(message).waitFor();
    await page.getByText(/^Opens .+ for cousin$/).waitFor();
    await page.unrouteAll();
    const titles = async () =>
      (await sealedBy(server.deps, anna.user.id)).map(({ title }) => title);
    await expect.poll(titles).toContain('For tomorrow');
  });
});

describe('where addresses are not confirmed, in rarer states', () => {
  const { server, visit } = sharedWorld({ config: { emailVerification: false } });

  it('the moment in which a capsule is sealed offers the link to hand over', async () => {
    const anna = await signUp(server.url, 'Anna Becker');
    const sender = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    await arrive(sender, anna);
    const { page } = sender;
    await lookAtMoments(page);
    await fillCapsule(page, capsuleFor('grandma@example.com', 'For grandma'));
    await create(page);
    await page.locator('dialog[data-rests]').waitFor();
    const moment = page.getByRole('dialog', { name: /^Sealed until/ });
    await moment.getByRole('button', { name: 'Copy the invitation link for grandma' }).click();
    await page.getByText('Link copied.').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    const shown = /http\S+/.exec(copied)?.[0] ?? '';
    expect(shown).toContain('/auth?register=true#invitation=');

    // Who has lost the link gets another one, which replaces it.
    await page.goto('/create');
    await page.getByRole('button', { name: /Recipient/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Select Recipients' });
    await dialog.getByRole('searchbox').fill('grandma');
    await dialog.getByRole('searchbox').press('Enter');
    await dialog.getByRole('button', { name: 'Copy a new invitation link for grandma' }).click();
    const latest = () => page.evaluate<string>('navigator.clipboard.readText()');
    await expect.poll(latest).not.toBe(copied);
    expect(await axeInBothSchemes(page)).toEqual([]);
    const link = /http\S+/.exec(await latest())?.[0] ?? '';
    const { page: hers } = await visit();
    await hers.goto(link);
    await hers.getByLabel('Name', { exact: true }).fill('Rose');
    await hers.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await hers.getByRole('main').getByRole('button', { name: 'Create Account' }).click();
    await hers.waitForURL('/dashboard?tab=received');
    await hers.getByRole('tab', { name: 'Shared With Me (1)' }).waitFor();
  });

  it('an address that was chosen offline and has an account is told, and needs no link', async () => {
    const ingrid = await signUp(server.url, 'Ingrid Holm');
    const mia = await signUp(server.url, 'Mia Becker');
    const sender = await visit();
    await arrive(sender, ingrid);
    const { page } = sender;
    await lookAtMoments(page);
    await sender.context.setOffline(true);
    await writeCapsule(page, capsuleFor(mia.user.email, 'For Mia'));
    await create(page);
    await page.getByText(KEPT).waitFor();
    await sender.context.setOffline(false);
    const moment = page.getByRole('dialog', { name: /^Sealed until/ });
    await moment.getByRole('button', { name: 'Copy a link for Mia', exact: true }).waitFor();
    expect(await moment.getByRole('button').allInnerTexts()).toEqual([
      'Add to calendar',
      'Copy a link for Mia',
      'Done',
    ]);
  });

  it('who has only a link that works no more gets another one by email, and makes the account', async () => {
    const email = 'late@example.com';
    const inviter = await signUp(server.url, 'Ingrid');
    await inviter.post('/user/invitations', { email });
    await server.mailedLink(email, '/auth');
    const { page } = await visit();
    await page.goto('/auth?register=true&invitation=expired');
    await page.getByRole('link', { name: 'Get a new link' }).click();
    await page.getByLabel('Email', { exact: true }).fill(email);
    await forgetEmails(server);
    await page.getByRole('button', { name: 'Send Reset Link' }).click();
    await page.getByRole('heading', { name: 'Check Your Email' }).waitFor();
    await page.goto((await server.mailedLink(email, '/auth')).href);
    await page.getByLabel('Name', { exact: true }).fill('Late');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: 'Create Account' }).click();
    // Nothing was sealed for them yet: what they receive will be here.
    await page.getByRole('tab', { name: 'Shared With Me (0)', selected: true }).waitFor();
  });
});
