import { mkdir } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createCapsule, type NewCapsuleInput } from '../../shared/api/capsules.ts';
import { addDays, dayAt } from '../../shared/day.ts';
import { launchBrowser, openVisitor, type Visitor } from '../support/browser.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { clip, pdf, photo } from '../support/fixtures.ts';
import { signIn } from '../support/screens.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** Pictures of every route for people to look at; `npm run screenshots` writes them here. */
const FOLDER = 'test-results/screenshots';

const DAY_MS = 86_400_000;

const WIDTHS = [
  [360, 740],
  [1280, 900],
] as const;
const SCHEMES = ['light', 'dark'] as const;
const VIEWS = WIDTHS.flatMap(([width, height]) =>
  SCHEMES.map((scheme) => [width, height, scheme] as const),
);

const VISITOR_ROUTES = {
  home: '/',
  login: '/auth',
  register: '/auth?register=true',
  'forgot-password': '/auth/forgot-password',
  'reset-password-invalid': '/auth/reset-password?token=expired',
  help: '/help',
  privacy: '/privacy',
  terms: '/terms',
  'not-found': '/no/such/page',
};
const MEMBER_ROUTES = {
  'home-member': '/',
  dashboard: '/dashboard',
  create: '/create',
  outbox: '/outbox',
  profile: '/profile',
};

describe('screenshots', () => {
  let server: TestServer;
  let browser: Browser;
  let ada: SignedIn;

  beforeAll(async () => {
    // Filled yesterday, so that something has opened today by the browser's clock too.
    const clock = new Date(Date.now() - DAY_MS).toISOString();
    [server, browser] = await Promise.all([
      startTestServer({ client: true, clock }),
      launchBrowser(),
    ]);
    ada = await signUp(server.url, 'Ada Lovelace');
    await fill(server, ada);
    await mkdir(FOLDER, { recursive: true });
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  it.each(VIEWS)('%i × %i, %s', { timeout: 120_000 }, async (width, height, colorScheme) => {
    const visitor = await openVisitor(browser, server.url, {
      viewport: { width, height },
      isMobile: width < 500,
      hasTouch: width < 500,
      colorScheme,
      reducedMotion: 'reduce',
    });
    const shot = (name: string) => picture(visitor, `${name}-${width}-${colorScheme}`);

    for (const [name, path] of Object.entries(VISITOR_ROUTES)) {
      await visitor.page.goto(path, { waitUntil: 'networkidle' });
      await shot(name);
    }
    await signIn(visitor.page, { email: ada.user.email, password: ada.password });
    for (const [name, path] of Object.entries(MEMBER_ROUTES)) {
      await visitor.page.goto(path, { waitUntil: 'networkidle' });
      await shot(name);
    }
    await visitor.page.goto(`/profile/${ada.user.id}`, { waitUntil: 'networkidle' });
    await shot('public-profile');
    await dialogs(visitor, shot);
    await visitor.close();
  });
});

async function dialogs({ page }: Visitor, shot: (name: string) => Promise<void>) {
  await page.goto('/dashboard', { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: /View/ }).first().click();
  await page.getByRole('dialog').getByText('This capsule is still locked.').waitFor();
  await shot('details-locked');
  await page.goto('/dashboard', { waitUntil: 'networkidle' });
  await page.getByRole('tab', { name: /Shared With Me/ }).click();
  await page.getByRole('button', { name: 'Page 2' }).click();
  await page.getByRole('button', { name: /View.*From Grace/ }).click();
  await page.getByRole('dialog').getByText('frozen again').waitFor();
  await shot('details-open');
  await page.goto('/create', { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: /recipient/i }).click();
  await page.getByRole('dialog').waitFor();
  await shot('recipients');
}

async function picture({ page }: Visitor, name: string): Promise<void> {
  // A dialog covers the window, not the whole length of the page behind it.
  const fullPage = (await page.getByRole('dialog').count()) === 0;
  await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage, animations: 'disabled' });
}

/** Enough capsules for two pages, one of them open. */
async function fill(server: TestServer, ada: SignedIn): Promise<void> {
  const grace = await signUp(server.url, 'Grace Hopper');
  const today = dayAt(server.clock.now(), 'UTC');
  const capsule = (title: string, days: number) => ({
    title,
    description: 'Letters, a photo and the film of that afternoon at the lake.',
    dateToUnlock: addDays(today, days),
    recipientEmails: [ada.user.email, grace.user.email],
    personalMessage: 'Dear you,\n\nwhen you read this, the lake is frozen again.',
  });
  const files = [await photo(), await clip(), pdf()];
  const seal = async (person: SignedIn, content: NewCapsuleInput) =>
    answerOf(createCapsule, await person.createCapsule(content, files));
  await seal(ada, capsule('The day after', 1));
  await seal(grace, capsule('From Grace, with love', 1));
  for (const days of [2, 6, 25, 90, 400, 3650, 7300]) {
    await seal(ada, capsule(`Opens in ${days} days`, days + 1));
  }
  server.clock.advance({ days: 1 });
}
