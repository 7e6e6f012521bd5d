import type { Page } from 'playwright-core';
import type { Addresses } from '../../shared/api/addresses.ts';
import type { Capsule } from '../../shared/api/capsules.ts';
import { addDays, dayAt } from '../../shared/day.ts';
import { seal } from './capsules.ts';
import { type SignedIn, signUp } from './client.ts';
import { clip, pdf, photo } from './fixtures.ts';
import { sampleItem } from './sample-capsule.ts';
import { SAVED, unfoldFigures } from './screens.ts';
import type { TestServer } from './server.ts';

/** Who and what the screens show. */
export interface Cast {
  server: TestServer;
  /** Signed in where a screen is a member's. */
  ada: SignedIn;
  grace: SignedIn;
  /** Ada's, with a letter, images, a video and a PDF. */
  opened: Capsule;
  locked: Capsule;
}

/** A state of a screen: its name, and how one gets there from anywhere. */
export type Screen = [name: string, show: (page: Page, cast: Cast) => Promise<void>];

const DAY_MS = 86_400_000;
/** One word that no line of a phone can hold. */
const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk';

const ASKED_AT = '2044-05-03T18:20:00.000Z';
const ADDRESSES: Addresses = {
  email: `${LONG_WORD}@example.org`,
  isConfirmed: false,
  bouncedAt: ASKED_AT,
  secondEmail: `ada@${LONG_WORD.slice(0, 50)}.example`,
  pending: [{ which: 'main', email: `ada@${LONG_WORD.slice(0, 50)}.example`, askedAt: ASKED_AT }],
  passwordWaitsUntil: ASKED_AT,
};

/** Start the server with this, so that {@link fillWorld} can open something by today. */
export const yesterday = () => new Date(Date.now() - DAY_MS).toISOString();

/** Two pages of capsules, one of them open, and people to find. */
export async function fillWorld(server: TestServer): Promise<Cast> {
  const ada = await signUp(server.url, 'Ada Lovelace');
  const grace = await signUp(server.url, 'Grace Hopper');
  const today = dayAt(server.clock.now(), 'UTC');
  const files = [await photo(), await photo('The jetty.jpg'), await clip(), pdf()];
  const inDays = (days: number) => addDays(today, days);
  const opened = await seal(
    grace,
    ada,
    {
      title: 'The winter of the lake',
      dateToUnlock: inDays(1),
      personalMessage: `Dear Ada,\n\n${LONG_WORD} is a word, and the lake is frozen again.`,
    },
    files,
  );
  for (const days of [2, 6, 25, 90, 400, 3650]) {
    await seal(ada, grace, { title: `Opens in ${days} days`, dateToUnlock: inDays(days + 1) });
  }
  const title = `A letter about the ${LONG_WORD} and other matters of consequence`;
  const locked = await seal(ada, grace, { title, dateToUnlock: inDays(7300) }, [pdf()]);
  server.clock.advance({ days: 1 });
  await ada.put(`/api/capsules/${opened.id}/seen`);
  return { server, ada, grace, opened, locked };
}

const main = (page: Page) => page.getByRole('main');
const field = (page: Page, name: string) => main(page).getByLabel(name, { exact: true });
const button = (page: Page, name: string | RegExp) =>
  main(page).getByRole('button', { name, exact: true });

async function at(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}

async function answered(page: Page, path: string, status: number, body: unknown): Promise<void> {
  const answer = { status, contentType: 'application/json', body: JSON.stringify(body) };
  await page.route(
    (url) => url.pathname === path,
    // Pages have the same addresses as calls.
    (route) => (route.request().isNavigationRequest() ? route.continue() : route.fulfill(answer)),
  );
}

export const VISITOR_SCREENS: readonly Screen[] = [
  ['home', (page) => at(page, '/')],
  [
    'the question before creating',
    async (page) => {
      await at(page, '/');
      await button(page, 'Create Your Capsule').click();
      await page.getByRole('alertdialog').waitFor();
    },
  ],
  [
    'sign in, refused by field',
    async (page) => {
      await at(page, '/auth');
      await button(page, 'Sign In').click();
      await page.getByText('Password is required').waitFor();
    },
  ],
  [
    'sign in, refused by the server',
    async (page) => {
      await at(page, '/auth');
      await field(page, 'Email').fill('nobody@example.org');
      await field(page, 'Password').fill('wrong one');
      await button(page, 'Sign In').click();
      await page.getByText('Invalid email or password').waitFor();
    },
  ],
  [
    'register, with a hint about the password',
    async (page) => {
      await at(page, '/auth?register=true');
      await field(page, 'Password').fill('1234');
      await page.getByText('Short passwords are easy to guess').waitFor();
      await button(page, 'Create Account').click();
      await page.getByText('Name is required').waitFor();
    },
  ],
  [
    'the verification prompt',
    async (page) => {
      await at(page, '/auth');
      const email = 'told@example.org';
      await answered(page, '/auth/login', 403, { code: 'EMAIL_NOT_VERIFIED', message: '', email });
      await field(page, 'Email').fill(email);
      await field(page, 'Password').fill('right one');
      await button(page, 'Sign In').click();
      await page.getByRole('dialog', { name: 'Verify your email' }).waitFor();
    },
  ],
  [
    'forgot password, refused',
    async (page) => {
      await at(page, '/auth/forgot-password');
      await button(page, 'Send Reset Link').click();
      await page.getByText('Please enter your email address').waitFor();
    },
  ],
  [
    'forgot password, sent',
    async (page) => {
      await at(page, '/auth/forgot-password');
      await field(page, 'Email').fill('nobody@example.org');
      await button(page, 'Send Reset Link').click();
      await page.getByText('Check Your Email').waitFor();
    },
  ],
  [
    'reset password, a link that is no good',
    async (page) => {
      await at(page, '/auth/reset-password?token=old');
      await page.getByText('Invalid Reset Link').waitFor();
    },
  ],
  [
    'reset password, refused by field',
    async (page) => {
      await answered(page, '/auth/validate-token', 200, { valid: true });
      await at(page, '/auth/reset-password?token=good');
      await field(page, 'New Password').fill('12345');
      await button(page, 'Update Password').click();
      await page.getByText('Passwords do not match').waitFor();
    },
  ],
  [
    'reset password, done',
    async (page) => {
      await answered(page, '/auth/validate-token', 200, { valid: true });
      await answered(page, '/auth/reset-password', 200, { message: 'Done' });
      await at(page, '/auth/reset-password?token=good');
      await field(page, 'New Password').fill('12345');
      await field(page, 'Confirm New Password').fill('12345');
      // It would go on to the sign-in by itself.
      await page.evaluate(
        'const timeout = window.setTimeout; window.setTimeout = (work, ms) => timeout(work, ms === 3000 ? 1e9 : ms)',
      );
      await button(page, 'Update Password').click();
      await page.getByText('Password Reset Successful').waitFor();
    },
  ],
  [
    'confirm the address, a link that is no good',
    async (page) => {
      await at(page, '/auth/verify-email?token=old');
      await button(page, 'Confirm this address').click();
      await page.getByText('Invalid Verification Link').waitFor();
    },
  ],
  [
    'reset password, waiting for another address',
    async (page) => {
      const countsFrom = '2045-05-11T10:00:00.000Z';
      await answered(page, '/auth/validate-token', 200, { valid: true });
      await answered(page, '/auth/reset-password', 200, { message: 'Waits', countsFrom });
      await at(page, '/auth/reset-password?token=good');
      await field(page, 'New Password').fill('12345');
      await field(page, 'Confirm New Password').fill('12345');
      await button(page, 'Update Password').click();
      await page.getByText('One more step').waitFor();
    },
  ],
  ['a link that asks', (page) => at(page, '/auth/new-password?token=good')],
  [
    'a link that was answered',
    async (page) => {
      const email = `${LONG_WORD}@example.org`;
      await answered(page, '/auth/address-link', 200, { message: `You asked for ${email}.` });
      await answered(page, '/auth/confirm-email', 200, { message: 'Done', which: 'main', email });
      await at(page, '/auth/confirm-email?token=good');
      await button(page, 'Confirm this address').click();
      await page.getByText('Address confirmed').waitFor();
    },
  ],
  ['a link that is no good', (page) => at(page, '/auth/undo-email')],
  ['help', (page) => at(page, '/help')],
  ['privacy', (page) => at(page, '/privacy')],
  ['terms', (page) => at(page, '/terms')],
  ['not found', (page) => at(page, '/no/such/page')],
  ['a public profile', (page, { grace }) => at(page, `/profile/${grace.user.id}`)],
  [
    'a public profile that is not there',
    async (page) => {
      await at(page, '/profile/00000000-0000-4000-8000-000000000000');
      await page.getByText('Profile Not Found').waitFor();
    },
  ],
  [
    'a page whose code does not come',
    async (page) => {
      await at(page, '/');
      await page.route(/text-pages/, (route) => route.abort());
      await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
      await page.getByText('This page could not be loaded').waitFor();
    },
  ],
];

const board = async (page: Page, path = '/dashboard') => {
  await at(page, path);
  await page.getByRole('tabpanel').filter({ visible: true }).getByRole('article').first().waitFor();
};

export const MEMBER_SCREENS: readonly Screen[] = [
  [
    'the dashboard, its figures as a table',
    async (page) => {
      await board(page);
      await unfoldFigures(page);
      await page.getByText('Show as a table').click();
    },
  ],
  [
    'the dashboard when nothing is found',
    async (page) => {
      await at(page, '/dashboard?q=nothing+like+it');
      await page
        .getByRole('tabpanel')
        .filter({ visible: true })
        .getByText('No capsules match')
        .waitFor();
    },
  ],
  [
    'the dashboard when all fails',
    async (page) => {
      await page.route(/\/api\/capsules\//, (route) => route.fulfill({ status: 502 }));
      await at(page, '/dashboard');
      await page.getByRole('alert').getByText('Error: ').waitFor();
      await page.getByText('Failed to load dashboard summary.').waitFor();
    },
  ],
  [
    'the profile menu',
    async (page) => {
      await board(page);
      await page.getByRole('button', { name: 'Profile menu' }).click();
      await page.getByRole('menu').waitFor();
    },
  ],
  [
    'the details of a locked capsule',
    async (page, { locked }) => {
      await board(page, `/dashboard?capsule=${locked.id}`);
      await page.getByText('This capsule is still locked.').waitFor();
    },
  ],
  [
    'an opened capsule',
    async (page, { opened }) => {
      await board(page, `/dashboard?tab=received&capsule=${opened.id}`);
      await page.getByRole('dialog').getByText('the lake is frozen again').waitFor();
    },
  ],
  [
    'an image, enlarged',
    async (page, { opened }) => {
      await board(page, `/dashboard?tab=received&capsule=${opened.id}`);
      await page.getByRole('button', { name: 'Enlarge The jetty.jpg' }).click();
      await page.getByRole('dialog', { name: 'The jetty.jpg' }).waitFor();
    },
  ],
  [
    'a capsule that is not there',
    async (page, { ada }) => {
      await board(page, `/dashboard?capsule=${ada.user.id}`);
      await page.getByRole('dialog', { name: 'Capsule not available' }).waitFor();
    },
  ],
  [
    'people, found',
    async (page) => {
      await board(page);
      await button(page, 'Discover Users').click();
      await page.getByRole('dialog').getByRole('searchbox').fill('grace');
      await page.getByRole('dialog').getByText('1 user found').waitFor();
    },
  ],
  [
    'the question before deleting',
    async (page) => {
      await board(page);
      await main(page)
        .getByRole('button', { name: /^Delete / })
        .first()
        .click();
      await page.getByRole('alertdialog').waitFor();
    },
  ],
  [
    'a failure that stays, and a success',
    async (page) => {
      await board(page);
      await page.route(/\/api\/capsules\//, (route) => route.fulfill({ status: 502 }));
      await main(page)
        .getByRole('button', { name: /^Delete / })
        .first()
        .click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
      await page.getByText('Failed to delete capsule. Please try again.').waitFor();
    },
  ],
  [
    'create, nothing yet',
    async (page) => {
      await at(page, '/create');
      await page.getByLabel('Unlock Date').waitFor();
    },
  ],
  [
    'recipients, one chosen',
    async (page) => {
      await at(page, '/create');
      await button(page, 'Select Recipients').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('searchbox').fill('example');
      await dialog.getByRole('searchbox').press('Enter');
      await dialog.getByRole('checkbox', { name: 'Grace' }).click();
      await dialog.getByText('Selected Recipients (1)').waitFor();
    },
  ],
  [
    'recipients, no search term',
    async (page) => {
      await at(page, '/create');
      await button(page, 'Select Recipients').click();
      await page.getByRole('dialog').getByRole('searchbox').press('Enter');
      await page.getByText('Please enter a search term').waitFor();
    },
  ],
  ['create, refused', (page) => writeRefused(page)],
  [
    'a voice memo without a microphone',
    async (page) => {
      await at(page, '/create');
      await page.getByRole('tab', { name: 'Content' }).click();
      await button(page, 'Record a voice memo').click();
      await page.getByRole('button', { name: 'Start recording' }).click();
      await page.getByText(/^We (can't|couldn't) use the microphone/).waitFor();
    },
  ],
  [
    'create, a long message',
    async (page) => {
      await at(page, '/create');
      await page.getByRole('tab', { name: 'Message' }).click();
      await page.getByLabel('Personal Message').fill(`${LONG_WORD} `.repeat(900));
    },
  ],
  [
    'the profile, refused by field',
    async (page) => {
      await at(page, '/profile');
      await field(page, 'Display name').fill('A');
      await field(page, 'Bio').fill('x'.repeat(500));
      await button(page, 'Save Changes').click();
      await page.getByText('Display name must be at least 2 characters').waitFor();
    },
  ],
  [
    'the avatar, enlarged',
    async (page) => {
      await at(page, '/profile');
      await button(page, 'Enlarge your avatar').click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'deleting the account, refused by field',
    async (page) => {
      await at(page, '/profile/safety');
      await button(page, 'Delete account').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Delete account' }).click();
      await dialog.getByText('Password is required').waitFor();
    },
  ],
  [
    'the addresses, with all there is to say about them',
    async (page) => {
      await answered(page, '/user/addresses', 200, ADDRESSES);
      await at(page, '/profile/addresses');
      await page.getByText('Emails to it have been coming back since').waitFor();
    },
  ],
  [
    'another address, refused by field',
    async (page) => {
      await answered(page, '/user/addresses', 200, ADDRESSES);
      await at(page, '/profile/addresses');
      await button(page, 'Change second address').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Send the link' }).click();
      await page.getByRole('dialog').getByText('Password is required').waitFor();
    },
  ],
  [
    'the dashboard, with a warning',
    async (page, { ada }) => {
      const email = `ada@${LONG_WORD.slice(0, 50)}.example`;
      await answered(page, '/user/me', 200, { ...ada.user, email, emailBounces: true });
      await board(page);
      await page.getByRole('link', { name: 'See your addresses' }).waitFor();
    },
  ],
  [
    'the bin',
    async (page) => {
      const capsules = [
        {
          id: '00000000-0000-4000-8000-000000000001',
          title: LONG_WORD,
          dateToUnlock: '2031-03-12',
          timeZone: 'UTC',
          recipients: [{ name: LONG_WORD, isOwner: false }],
          deletedAt: '2030-05-03T18:20:00.000Z',
          goneAt: '2030-05-10T18:20:00.000Z',
        },
      ];
      await answered(page, '/api/capsules/bin', 200, { capsules, totalItems: 1 });
      await at(page, '/dashboard/bin');
      await button(page, 'Delete now').click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  ['the outbox, empty', (page) => at(page, '/outbox')],
  ['the outbox, in every state', fillOutbox],
];

/** A form with everything in it, and all that a server can say against it. */
async function writeRefused(page: Page): Promise<void> {
  await at(page, '/create');
  await field(page, 'Capsule Title').fill(`The ${LONG_WORD} `.repeat(3));
  await field(page, 'Description').fill('In winter');
  await button(page, 'Select Recipients').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('searchbox').fill('grace');
  await dialog.getByRole('searchbox').press('Enter');
  await dialog.getByRole('checkbox', { name: 'Grace' }).click();
  await dialog.getByRole('button', { name: 'Confirm Selection (1)' }).click();
  await main(page).getByRole('button', { name: '18 years', exact: true }).click();
  await page.locator('input[type=file][multiple]').setInputFiles([
    { name: `${LONG_WORD}.pdf`, mimeType: 'application/pdf', buffer: pdf().bytes },
    { name: 'empty.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) },
  ]);
  await page.getByText('1 File(s) Selected').waitFor();
  await main(page).getByText("It's empty").waitFor();
  await page.getByRole('complementary').getByText(SAVED).waitFor();
  await answered(page, '/api/capsules', 400, {
    code: 'VALIDATION_FAILED',
    message: 'Please check what you entered',
    errors: {
      title: 'A title is needed',
      description: 'A description is needed',
      recipientEmails: 'Not registered: grace@example.org',
      dateToUnlock: 'Choose a day after today',
      files: 'That is too much',
    },
  });
  await button(page, 'Create Time Capsule').click();
  await page.getByText('Error: Please check what you entered').waitFor();
}

/** Puts rows of every state beside the app, which finds them when it looks. */
async function fillOutbox(page: Page): Promise<void> {
  await page.route(/\/api\/(capsules|uploads)/, (route) => route.fulfill({ status: 502 }));
  await at(page, '/outbox');
  const failure = {
    code: 'FILE_TOO_LARGE',
    message: 'A file is too large',
    errors: { files: 'A' },
  };
  const states = [
    { state: 'needs-fix' as const, failure },
    { state: 'storage-full' as const },
    { state: 'needs-sign-in' as const },
    { state: 'retry-at' as const, nextTryAt: Date.now() + 3_600_000, mayHaveArrived: true },
    { state: 'sending' as const, totalBytes: 4_000_000, sentBytes: 2_000_000, fileCount: 2 },
  ];
  const rows = states.map((change, n) => sampleItem(200 + n, change));
  await page.evaluate(`putRows('outbox', ${JSON.stringify(rows)})`);
  await page.reload();
  // What another page was sending is taken up again, and waits now like the other.
  await page.getByText('Trying again at').nth(1).waitFor();
}
