import { describe, expect, it } from 'vitest';
import { downloaded } from '../support/browser.ts';
import { seal } from '../support/capsules.ts';
import { PASSWORD, signUp } from '../support/client.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

describe('the day of a locked capsule', () => {
  const { server, visit } = sharedWorld();

  it('goes into the calendar from its details, without a network too', async () => {
    const ada = await signUp(server.url, 'Ada');
    const { id } = await seal(ada, ada, { title: 'A secret title', dateToUnlock: '2044-12-31' });
    const { page, context, problems } = await visit();
    await signIn(page, { email: ada.user.email, password: PASSWORD }, `/dashboard?capsule=${id}`);
    const add = page.getByRole('dialog').getByRole('button', { name: 'Add to calendar' });
    await add.waitFor();
    // The worker is registered a moment after the page; cut off in the middle, it says so.
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await context.setOffline(true);
    const { name, bytes } = await downloaded(page, () => add.click());
    await context.setOffline(false);
    expect(name).toBe('time-capsule-2044-12-31.ics');
    expect(bytes.toString()).toContain('DTSTART;VALUE=DATE:20441231\r\n');
    expect(bytes.toString()).toContain('It opens at midnight\\, UTC.');
    expect(bytes.toString()).not.toContain('secret');
    // A call that was under way when the connection ended is no fault.
    expect(problems.filter((one) => !one.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  });

  it('goes into it by the link in an email, also for who is signed out', async () => {
    const mia = await signUp(server.url, 'Mia');
    const { id } = await seal(mia, mia, { dateToUnlock: '2044-12-31' });
    const link = `${server.url}/api/capsules/${id}/calendar.ics`;
    const { page } = await visit();
    await page.goto(link);
    await page.getByText('A capsule is waiting for you').waitFor();
    await page.goto('/auth');
    await page.getByLabel('Email', { exact: true }).fill(mia.user.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Password', { exact: true }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Add to calendar' }).waitFor();
    const { name } = await downloaded(page, async () => {
      // A download ends the navigation.
      await page.goto(link).catch(() => undefined);
    });
    expect(name).toBe('time-capsule-2044-12-31.ics');
  });
});
