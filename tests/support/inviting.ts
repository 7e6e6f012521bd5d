import type { Page } from 'playwright-core';
import type { Visitor } from './browser.ts';
import type { SignedIn } from './client.ts';
import { signIn } from './screens.ts';

/** The password of somebody who was invited. */
export const PASSWORD = 'roses and violets';

/** Signs in, on the dashboard, with a worker that keeps the app. */
export async function arrive({ page }: Visitor, person: SignedIn): Promise<void> {
  await signIn(page, { email: person.user.email, password: person.password });
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
}

export const capsuleFor = (email: string, title: string) => ({
  title,
  description: 'Written for somebody without an account',
  recipients: [email],
  message: 'Dear grandma',
  files: [],
});

export const create = (page: Page) =>
  page.getByRole('button', { name: 'Create Time Capsule' }).click();
