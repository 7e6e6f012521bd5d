import { describe, expect, it } from 'vitest';
import { NOT_TOLD_ON_THE_DAY } from '../../client/pages/notice-words.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { whileHeld } from '../support/break-calls.ts';
import { downloaded } from '../support/browser.ts';
import { seal } from '../support/capsules.ts';
import { PASSWORD, signUp } from '../support/client.ts';
import { photo } from '../support/fixtures.ts';
import { signIn } from '../support/screens.ts';
import { until } from '../support/until.ts';
import { unzip } from '../support/unzip.ts';
import { sharedWorld } from '../support/world.ts';

const FAILED = 'Failed to download file. Please try again.';

describe('a person’s data, on the profile page', () => {
  const { server, visit } = sharedWorld({ clock: '2029-12-31T12:00:00Z' });

  it('comes as a ZIP, and a refusal is said in words', async () => {
    const person = await signUp(server.url, 'Archivist');
    await seal(person, person, { title: 'Mine' }, [await photo()]);
    server.clock.set('2030-01-01T12:00:00Z');
    const { page, problems, close } = await visit();
    await signIn(page, { email: person.user.email, password: PASSWORD }, '/profile/safety');
    const exporting = page.getByRole('button', { name: 'Export as ZIP' });

    const { name, bytes } = await downloaded(page, () => exporting.click());
    expect(name).toBe('time-capsule-2030-01-01.zip');
    const entries = await unzip(bytes);
    expect(String(entries.get('time-capsule.json'))).toContain(person.user.email);
    expect([...entries.keys()].some((path) => path.endsWith('Grandma at the lake.jpg'))).toBe(true);

    await page.route('**/user/export', (route) => route.fulfill({ status: 500, body: '' }));
    await exporting.click();
    await page.getByText(FAILED).waitFor();
    await page.getByRole('button', { name: `Dismiss: ${FAILED}` }).click();
    await page.unroute('**/user/export');

    expect(problems.filter((problem) => !problem.includes('status of 500'))).toEqual([]);
    await close();
    server.clock.set('2029-12-31T12:00:00Z');
  });

  it('emails are turned off by the link in one of them, and on again here', async () => {
    const person = await signUp(server.url, 'Reader');
    await seal(person, person, { title: 'Mine', notifyRecipient: true });
    const { mailer } = server;
    const url = await until(
      () => mailer.sent.find(({ to }) => to === person.user.email)?.turnOffUrl ?? null,
    );
    const { page, problems, close } = await visit();
    await page.goto(url);
    await page.getByRole('button', { name: 'Turn them off' }).click();
    await page.getByRole('heading', { name: 'Emails turned off' }).waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);

    await signIn(page, { email: person.user.email, password: PASSWORD }, '/profile/emails');
    const waiting = page.getByRole('switch', { name: 'When somebody seals a capsule for you' });
    const isChosen = (checked: boolean) => expect.poll(() => waiting.isChecked()).toBe(checked);
    await isChosen(false);
    await waiting.press('Space');
    const saved = async () => (await person.get('/user/notices')).json;
    const others = { read: 'ask', reminder: true };
    const all = { ...others, waiting: true, opened: true };
    await expect.poll(saved).toEqual({ ...all, addressCheck: true });
    const yearly = page.getByRole('switch', { name: /^Once a year/ });
    await yearly.press('Space');
    await expect.poll(saved).toEqual({ ...all, addressCheck: false });
    await expect.poll(() => yearly.isChecked()).toBe(false);
    // What is turned off elsewhere meanwhile is not turned on again by the next press.
    await person.put('/user/notices', { ...all, opened: false });
    await page.evaluate("window.dispatchEvent(new Event('online'))");
    const opens = page.getByRole('switch', { name: 'When a capsule opens' });
    await expect.poll(() => opens.isChecked()).toBe(false);
    // As the link in the email says, and the reminder would not come.
    await page.getByRole('status').getByText(NOT_TOLD_ON_THE_DAY).waitFor();
    const reminder = page.getByRole('switch', { name: /^A reminder, if you haven't opened it/ });
    expect([await reminder.isEnabled(), await reminder.isChecked()]).toEqual([false, false]);
    expect(await axeInBothSchemes(page)).toEqual([]);
    // Nor is what the page has not heard of yet.
    const elsewhere = { ...all, opened: false, reminder: false };
    await person.put('/user/notices', elsewhere);
    await yearly.press('Space');
    await expect.poll(saved).toEqual({ ...elsewhere, addressCheck: true });
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.context().setOffline(true);
    await waiting.press('Space');
    await page.getByText('You need a connection to change this.').waitFor();
    await isChosen(true);
    await page.context().setOffline(false);
    expect(problems.filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED'))).toEqual(
      [],
    );
    await close();
  });

  it('an account ends only with its password and a choice, and leaves nothing on the device', async () => {
    const person = await signUp(server.url, 'Leaver');
    const heir = await signUp(server.url, 'Heir');
    const left = await seal(person, heir, { title: 'For the heir' });
    const own = await seal(person, person, { title: 'For myself' });
    const { page, problems, kept } = await visit();
    await signIn(page, { email: person.user.email, password: PASSWORD });
    await page.getByText('For the heir').first().waitFor();
    await page.goto('/profile/safety');
    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    const confirm = dialog.getByRole('button', { name: 'Delete account' });
    const password = dialog.getByLabel('Password', { exact: true });

    await confirm.click();
    await dialog.getByText('Password is required').waitFor();
    await dialog.getByText('Please choose what happens to your capsules').waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);

    await dialog.getByRole('radio', { name: 'Deliver them on their day' }).check();
    await password.fill('not this one');
    await dialog.getByText('Password is required').waitFor({ state: 'detached' });
    await confirm.click();
    await dialog.getByText("That isn't your password").waitFor();
    expect((await person.get('/user/me')).status).toBe(200);

    await password.fill(PASSWORD);
    await expect.poll(kept).toContain(person.user.email);
    let sent = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/user/delete-account')) sent += 1;
    });
    const names = 'form:has([type=password]) [autocomplete]';
    expect(
      await page.evaluate(
        `Array.from(document.querySelectorAll('${names}'), ({ autocomplete, value }) => [autocomplete, value])`,
      ),
    ).toEqual([
      ['username', person.user.email],
      ['current-password', PASSWORD],
    ]);
    await whileHeld(page, '/user/delete-account', async () => {
      await password.press('Enter');
      await dialog.getByRole('button', { name: 'Deleting...' }).waitFor();
      await password.press('Enter');
    });
    await page.getByText('Your account has been deleted.').waitFor();
    await page.waitForURL('/');
    expect(sent).toBe(1);
    expect(await page.getByText("You've been signed out.").count()).toBe(0);
    await page.getByRole('banner').getByRole('link', { name: 'Register' }).waitFor();
    const traces = [person.user.email, person.user.id, left.id, own.id];
    const found = async () => {
      const afterwards = await kept();
      return traces.filter((trace) => afterwards.includes(trace));
    };
    await expect.poll(found).toEqual([]);
    expect(await page.evaluate('localStorage.getItem("isLoggedIn")')).toBeNull();

    expect((await heir.get(`/api/capsules/${left.id}`)).status).toBe(200);
    expect((await heir.get(`/api/capsules/${own.id}`)).status).toBe(404);
    expect(problems.filter((problem) => !/status of 40[01]/.test(problem))).toEqual([]);
  });

  it('an answer that is lost on its way leaves nothing behind either', async () => {
    const person = await signUp(server.url, 'Unheard');
    const { page, kept } = await visit();
    await signIn(page, { email: person.user.email, password: PASSWORD }, '/profile/safety');
    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByRole('radio', { name: 'Destroy them' }).check();
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.route('**/user/delete-account', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.getByText('Your account has been deleted.').waitFor();
    await page.waitForURL('/');
    expect(await kept()).not.toContain(person.user.id);
  });

  it('what was to be destroyed is gone for everyone, unless one thinks again', async () => {
    const person = await signUp(server.url, 'Destroyer');
    const friend = await signUp(server.url, 'Friend');
    const { id } = await seal(person, friend);
    const { page, problems } = await visit();
    await signIn(page, { email: person.user.email, password: PASSWORD }, '/profile/safety');
    const start = page.getByRole('button', { name: 'Delete account' });
    await start.click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect((await person.get('/user/me')).status).toBe(200);

    await start.click();
    await dialog.getByRole('radio', { name: 'Destroy them' }).check();
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.waitForURL('/');
    expect((await friend.get(`/api/capsules/${id}`)).status).toBe(404);
    expect((await person.get('/user/me')).status).toBe(401);

    expect(problems.filter((problem) => !problem.includes('status of 401'))).toEqual([]);
  });
});
