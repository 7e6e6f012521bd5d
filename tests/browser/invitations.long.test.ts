import { beforeAll, describe, expect, it } from 'vitest';
import { longDate } from '../../client/pages/format.ts';
import { findUserByEmail, updateUser } from '../../server/db/accounts/users.ts';
import { announceOpenings } from '../../server/jobs/announce-openings.ts';
import { MailboxRefusedError } from '../../server/mail/mailer.ts';
import { getCapsule } from '../../shared/api/capsules.ts';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { forgetEmails } from '../support/addresses.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { breakCalls } from '../support/break-calls.ts';
import { lookAtMoments } from '../support/browser.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { backOnline } from '../support/dispatch-sync.ts';
import { arrive, capsuleFor, create, PASSWORD } from '../support/inviting.ts';
import { sealedBy, untilSealed } from '../support/ledger.ts';
import { GO_ON } from '../support/mail-world.ts';
import { KEPT } from '../support/queue.ts';
import { fillCapsule, signIn, writeCapsule } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

describe('where addresses are confirmed', () => {
  const { server, visit, open } = sharedWorld();
  let anna: SignedIn;
  beforeAll(async () => {
    anna = await signUp(server.url, 'Anna Becker');
    await server.confirmAddresses(true);
    await updateUser(server.deps.db, anna.user.id, { emailVerifiedAt: new Date() });
  });

  it('a capsule for somebody without an account leaves with the app closed, and waits for them', async () => {
    const email = 'grandma@example.com';
    // Only the whole browser wakes a worker without a page.
    const sender = await visit({ wholeBrowser: true });
    await arrive(sender, anna);
    const { page } = sender;
    await sender.context.setOffline(true);
    await writeCapsule(page, capsuleFor(email, 'For grandma'));
    const chips = page.getByRole('group', { name: 'Recipient Emails' });
    // Nobody is invited before it is sealed.
    await chips.getByText('grandma', { exact: true }).waitFor();
    await create(page);
    await page.getByText(KEPT).waitFor();
    await page.close();
    expect(await sealedBy(server.deps, anna.user.id)).toEqual([]);
    expect(server.mailer.sent.filter(({ to }) => to === email)).toEqual([]);
    await backOnline(sender.context, server.url);
    expect(await untilSealed(server.deps, anna.user.id)).toEqual([
      { title: 'For grandma', files: [] },
    ]);

    const link = await server.mailedLink(email, '/auth');
    const { page: hers, problems } = await visit();
    await hers.goto(link.href);
    await hers.getByRole('heading', { level: 1, name: "You're invited" }).waitFor();
    await hers.getByText('Anna Becker has sealed a time capsule for you.').waitFor();
    // The secret leaves the address, and the page can be loaded again all the same.
    await expect.poll(() => new URL(hers.url()).href).toBe(`${server.url}/auth?register=true`);
    await hers.reload();
    await hers.getByText('Anna Becker has sealed a time capsule for you.').waitFor();
    const address = hers.getByLabel('Email', { exact: true });
    expect([await address.inputValue(), await address.isEditable()]).toEqual([email, false]);
    expect(await axeInBothSchemes(hers)).toEqual([]);
    await hers.getByLabel('Name', { exact: true }).fill('Rose');
    await hers.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await hers.getByRole('main').getByRole('button', { name: 'Create Account' }).click();
    await hers.waitForURL('/dashboard?tab=received');
    await hers.getByText('Welcome!').waitFor();
    // Their capsule is seen at once, and not an empty list of their own.
    await hers.getByRole('tab', { name: 'Shared With Me (1)', selected: true }).waitFor();
    await hers.getByRole('article').filter({ hasText: 'For grandma' }).waitFor();
    expect(server.mailer.sent.filter(({ to }) => to === email)).toHaveLength(1);

    // Somebody signed in who presses the link again is told why nothing happens.
    await hers.goto(link.href);
    await hers.waitForURL('/dashboard?tab=received');
    await hers.getByText("You're signed in already.").waitFor();
    const { page: again } = await open();
    await again.goto(link.href);
    await again
      .getByText("This address already has an account. Sign in to see what's waiting.")
      .waitFor();
    expect(await axeInBothSchemes(again)).toEqual([]);
    expect(await again.getByRole('link', { name: 'Get a new link' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('the email of the day leads an invited person to their letter by one press', async () => {
    const email = 'grandpa@example.com';
    await anna.post('/user/invitations', { email, name: 'Grandpa Karl' });
    const { id } = await seal(anna, { user: { email } }, { personalMessage: 'Dear grandpa' });
    await server.mailedLink(email, '/auth');
    const before = server.clock.now();
    server.clock.set('2030-01-01T08:00:00Z');
    try {
      await announceOpenings(server.deps, GO_ON);
      const news = () =>
        server.mailer.sent.find((mail) => mail.to === email && mail.kind === 'capsule-opened');
      await expect.poll(news).toBeTruthy();
      const { page } = await open();
      await page.goto(String(news()?.link));
      expect(news()?.subject).toBe("Grandpa Karl, Anna Becker's time capsule for you is open");
      await page.getByText(/^Anna Becker sealed a time capsule for you on /).waitFor();
      const name = page.getByLabel('Name', { exact: true });
      await expect.poll(() => name.inputValue()).toBe('Grandpa Karl');
      expect(await axeInBothSchemes(page)).toEqual([]);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('main').getByRole('button', { name: 'Create Account' }).click();
      await page.waitForURL(`/dashboard?tab=received&capsule=${id}`);
      await page.getByRole('button', { name: 'Press to open' }).click();
      await page.getByRole('dialog').getByText('Dear grandpa').first().waitFor();
      // The email is pressed once more.
      await page.goto(String(news()?.link));
      await page.waitForURL(`/dashboard?tab=received&capsule=${id}`);
      await page.getByRole('dialog').getByText('Dear grandpa').first().waitFor();
    } finally {
      server.clock.set(before);
    }
  });

  it('is offered at the end of a search for an address, and shown to who invited', async () => {
    const { page } = await open();
    await signIn(page, { email: anna.user.email, password: anna.password });
    await anna.post('/user/invitations', { email: 'aunt@example.com' });
    const aunt = await findUserByEmail(server.deps.db, 'aunt@example.com');
    await updateUser(server.deps.db, String(aunt?.id), { emailBouncedAt: new Date() });
    await page.goto('/create');
    await page.getByRole('button', { name: /Recipient/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Select Recipients' });
    const search = async (text: string) => {
      await dialog.getByRole('searchbox').fill(text);
      await dialog.getByRole('searchbox').press('Enter');
    };
    await search('uncle@example');
    await dialog.getByText('No users found matching “uncle@example”', { exact: true }).waitFor();
    const hint = dialog
      .getByRole('status')
      .getByText('Not here yet? Enter their full email address to invite them.');
    await hint.waitFor();
    expect(await dialog.getByRole('checkbox').count()).toBe(0);
    await search(' Uncle@Example.com ');
    await dialog
      .getByText(/^No users found matching “Uncle@Example.com”\. You can invite them\.$/)
      .waitFor();
    expect(await hint.count()).toBe(0);
    await dialog.getByRole('checkbox', { name: 'Invite uncle@example.com' }).click();
    const name = dialog.getByLabel('Name for uncle@example.com (optional)');
    await name.fill('Uncle Tom');
    expect(await axeInBothSchemes(page)).toEqual([]);
    await search('aunt@example.com');
    const bounces = "aunt Invited aunt@example.com This address doesn't accept our email.";
    await dialog.getByRole('checkbox', { name: bounces }).click();
    await search(anna.user.email);
    await dialog.getByText('1 user found', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Confirm Selection (2)' }).click();
    const chips = page.getByRole('group', { name: 'Recipient Emails' });
    await chips.getByText('Uncle Tom', { exact: true }).waitFor();
    await chips.getByText('aunt (Invited)').waitFor();
  });

  it('is sent under the name that was asked for, and is then found offline', async () => {
    const sender = await visit();
    await arrive(sender, anna);
    const { page, context } = sender;
    await lookAtMoments(page);
    await fillCapsule(page, capsuleFor('mia@example.com', 'For Mia'));
    await page.getByRole('button', { name: 'Change Recipients' }).click();
    const dialog = page.getByRole('dialog', { name: 'Select Recipients' });
    await dialog.getByLabel('Name for mia@example.com (optional)').fill('Mia Becker');
    await dialog.getByRole('button', { name: 'Confirm Selection (1)' }).click();
    await create(page);
    const moment = page.getByRole('dialog', { name: /^Sealed until/ });
    await page.locator('dialog[data-rests]').waitFor();
    await moment.getByRole('button', { name: 'Copy a link for Mia', exact: true }).waitFor();
    await moment.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('article').filter({ hasText: 'Mia Becker' }).waitFor();
    const mail = () => server.mailer.sent.find(({ to }) => to === 'mia@example.com');
    await expect.poll(() => mail()?.text).toContain('Hello Mia Becker');

    await context.setOffline(true);
    await page.getByRole('link', { name: 'Create New Capsule' }).click();
    await page.getByRole('button', { name: 'Select Recipients' }).click();
    await dialog.getByRole('searchbox').fill('becker');
    await dialog.getByRole('searchbox').press('Enter');
    await dialog.getByRole('checkbox', { name: /^Mia Becker Invited mia@example\.com/ }).waitFor();
  });

  it('the details of a capsule say what became of the invitation', async () => {
    const [niece, godson] = ['niece@example.com', 'godson@example.com'];
    await anna.post('/user/invitations', { email: niece });
    await server.mailedLink(niece, '/auth');
    server.mailer.failNext(1, new MailboxRefusedError('550 no such mailbox'));
    await anna.post('/user/invitations', { email: godson });
    const bounced = async () => (await findUserByEmail(server.deps.db, godson))?.emailBouncedAt;
    await expect.poll(bounced).toBeTruthy();
    const { id } = await seal(anna, anna, { recipientEmails: [niece, godson] });
    const { page } = await open();
    await signIn(
      page,
      { email: anna.user.email, password: anna.password },
      `/dashboard?capsule=${id}`,
    );
    const rows = page
      .getByRole('dialog')
      .locator('dl > div')
      .filter({ has: page.getByText('Invitations', { exact: true }) })
      .locator('dd');
    const today = longDate(server.deps.clock.now().toISOString());
    await rows.getByText(`You invited niece on ${today}`).waitFor();
    await rows.getByText(`godson's address refused our email on ${today}`).waitFor();
    expect(await rows.getByRole('button').count()).toBe(0);
    expect(await axeInBothSchemes(page)).toEqual([]);
  });

  it('who refuses with one press is in it no more, nor invited again', async () => {
    const email = 'neighbour@example.com';
    await anna.post('/user/invitations', { email });
    const { id } = await seal(anna, { user: { email } }, { title: 'For nobody' });
    const link = await server.mailedLink(email, '/auth');
    const { page: theirs } = await open();
    await theirs.goto(link.href);
    await theirs.getByRole('link', { name: 'No, thank you' }).click();
    await theirs.getByRole('heading', { level: 1, name: 'Refuse this invitation?' }).waitFor();
    expect(await axeInBothSchemes(theirs)).toEqual([]);
    await theirs.getByRole('button', { name: 'Refuse', exact: true }).click();
    await theirs.getByRole('heading', { name: 'Invitation refused' }).waitFor();
    const capsule = answerOf(getCapsule, await anna.get(`/api/capsules/${id}`));
    expect(capsule.recipientEmails).toEqual([]);

    const sender = await visit();
    await arrive(sender, anna);
    const { page } = sender;
    await page.goto(`/dashboard?capsule=${id}`);
    await page.getByText('1 person refused the invitation').waitFor();
    await page.goto('/dashboard');
    // Only who refused is named, and not who has a part of the same address.
    const recipients = ['bour@example.com', email];
    await fillCapsule(page, { ...capsuleFor(email, 'Once more'), recipients });
    await create(page);
    const refused = `We can't invite ${email}, perhaps because they asked us not to. Please choose somebody else.`;
    await page.getByText(refused).first().waitFor();
    const titles = (await sealedBy(server.deps, anna.user.id)).map(({ title }) => title);
    expect(titles).not.toContain('Once more');
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

describe('where addresses are not confirmed', () => {
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
