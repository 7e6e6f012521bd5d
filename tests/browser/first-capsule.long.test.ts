import { expect, it } from 'vitest';
import { addDays, dayAt } from '../../shared/day.ts';
import { seal } from '../support/capsules.ts';
import { PASSWORD, signUp } from '../support/client.ts';
import { signIn } from '../support/screens.ts';
import { until } from '../support/until.ts';
import { sharedWorld } from '../support/world.ts';

const world = sharedWorld();

/** Messages stay for as long as one looks at them here, and not for six seconds. */
const LASTING = `{
  const { setTimeout } = window;
  window.setTimeout = (run, ms, ...rest) => setTimeout(run, ms === 6_000 ? 60_000 : ms, ...rest);
}`;

/** What the newest message covers of what can be pressed; null while there is none. */
const COVERED = `(() => {
  const message = document.querySelector('[aria-label="Messages"] [data-newest]')?.getBoundingClientRect();
  if (!message) return null;
  const isCovered = ({ top, bottom }) => bottom > message.top && top < message.bottom;
  return [...document.querySelectorAll('main :is(a, button, input)')]
    .filter((each) => each.checkVisibility() && isCovered(each.getBoundingClientRect()))
    .map((each) => each.innerText);
})()`;

it('six presses lead from the landing page to the first sealed letter', async () => {
  const { page } = await world.open({ viewport: { width: 360, height: 640 } });
  await page.addInitScript(LASTING);
  const covered = () => page.evaluate<string[] | null>(COVERED);
  const main = page.getByRole('main');
  await page.goto('/');
  await main.getByRole('link', { name: 'Get Started Free' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.getByLabel('Email', { exact: true }).fill('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await main.getByRole('button', { name: 'Create Account' }).click();
  // The form has a link of that name, too.
  await page.getByText('Account created successfully!').waitFor();
  await expect.poll(covered).toEqual([]);
  await main.getByRole('link', { name: 'Sign in' }).click();
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await main.getByRole('button', { name: 'Sign In', exact: true }).click();
  await main.getByRole('link', { name: 'A letter to yourself in a year' }).waitFor();
  await page.getByText('Welcome back!').waitFor();
  // Who has mistyped the address finds out here.
  await page.getByText("We'll email you at ada@example.org. Change").waitFor();
  await expect.poll(covered).toEqual([]);
  await main.getByRole('link', { name: 'A letter to yourself in a year' }).click();
  // Only the letter is left to write.
  await page.getByLabel('Personal Message').fill('Dear me, it was cold.');
  await main.getByRole('button', { name: 'Create Time Capsule' }).click();
  await page.getByText('Time capsule created successfully!').waitFor();
});

it.each([
  { device: 'a phone', viewport: { width: 360, height: 740 } },
  { device: 'a laptop', viewport: { width: 1280, height: 800 } },
])(
  'two presses lead from the email of the day to the first word, on $device',
  async ({ device, viewport }) => {
    const { server } = world;
    const mia = await signUp(server.url, `Mia on ${device}`);
    const message = `Dear Mia,\n\n${'you were small when I wrote this. '.repeat(80)}`;
    const dateToUnlock = addDays(dayAt(server.clock.now(), 'UTC'), 1);
    await seal(mia, mia, { title: 'For Mia', personalMessage: message, dateToUnlock });
    server.clock.advance({ days: 1 });
    await server.announce();
    const mail = await until(() => {
      const { email } = mia.user;
      const opened = server.mailer.sent.filter(({ text }) => text.includes('It has opened'));
      return opened.find(({ to }) => to === email) ?? null;
    });

    const { page, problems } = await world.open({ viewport });
    await signIn(page, { email: mia.user.email, password: PASSWORD });
    await page.goto('about:blank');
    await page.setContent(mail.html);
    await page.getByRole('link', { name: 'Open the capsule' }).click();
    await page.getByRole('button', { name: 'Press to open' }).click();
    const letter = page.getByRole('region', { name: 'Personal message' }).getByText('Dear Mia,');
    await letter.waitFor();
    // Its first line is in the window without scrolling.
    const isInSight = async () => {
      const { y = -1 } = (await letter.boundingBox()) ?? {};
      return y > 0 && y + 30 < viewport.height;
    };
    await expect.poll(isInSight).toBe(true);
    expect(problems).toEqual([]);
  },
);
