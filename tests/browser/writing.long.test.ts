import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addYears, dayAt } from '../../shared/day.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import type { Visitor } from '../support/browser.ts';
import { type SignedIn, signUp, signUpAnother } from '../support/client.ts';
import { SAVED, signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const LONG = 'It was the coldest winter that anybody could remember. '.repeat(8);
/** What stands on the page for somebody who has not pressed anything: controls, and words. */
const SEEN = `(() => {
  const main = document.querySelector('main');
  const controls = [...main.querySelectorAll('a, button, input, textarea, select, summary')];
  const isSeen = (each) => each.checkVisibility() && each.getClientRects().length > 0;
  return { controls: controls.filter(isSeen).length, words: main.innerText.match(/\\S+/g).length };
})()`;
interface Seen {
  controls: number;
  words: number;
}

describe('writing a letter', () => {
  const world = sharedWorld();
  let visitor: Visitor;
  let page: Page;
  let ada: SignedIn;
  let tom: SignedIn;

  const summary = () => page.getByRole('complementary');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const title = () => page.getByLabel('Capsule Title');
  const description = () => page.getByLabel('Description', { exact: true });
  const letter = () => page.getByLabel('Personal Message');
  const fact = (term: string) =>
    summary()
      .locator('dl > div')
      .filter({ has: page.getByText(term, { exact: true }) })
      .locator('dd')
      .innerText();
  const countDrafts = () =>
    page.evaluate<number>('readRows("drafts").then(({ length }) => length)');
  const open = async (path: string) => {
    await page.goto(path);
    await title().waitFor();
  };
  const fillRest = async () => {
    await title().fill('The lake');
    await button('1 year').click();
    await button('Select Recipients').click();
    await page.getByRole('checkbox', { name: `${ada.user.name} You` }).click();
    await button('Confirm Selection (1)').click();
  };

  beforeAll(async () => {
    tom = await signUp(world.server.url, 'Tom Becker');
  });
  beforeEach(async () => {
    ada = await signUpAnother(world.server.url, 'Ada Lovelace');
    visitor = await world.open();
    page = visitor.page;
    await signIn(page, { email: ada.user.email, password: ada.password });
  });
  afterEach(() => {
    expect(visitor.problems.filter((problem) => problem.startsWith('uncaught'))).toEqual([]);
  });

  it('begins with a letter, and little else', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    await open('/create');
    await button('Create Time Capsule').waitFor();
    const before = await page.evaluate<Seen>(SEEN);
    expect(before.controls).toBeLessThanOrEqual(10);
    expect(before.words).toBeLessThanOrEqual(100);
    const top = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN;
    const isInSight = async () =>
      (await top(letter())) < (await top(button('Create Time Capsule'))) - 80;
    await expect.poll(isInSight).toBe(true);
    // On a wide screen the summary stands beside it.
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('heading', { name: 'Capsule Summary' }).waitFor();
    const wide = await page.evaluate<Seen>(SEEN);
    expect(wide.controls).toBeLessThanOrEqual(10);
    expect(wide.words).toBeLessThanOrEqual(100);
    await title().press('A');
    await button('5 years').waitFor();
    await button('Ask others to add something').waitFor();
  });

  it('on a phone sums up in one sentence, which unfolds', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    await open('/create');
    await fillRest();
    await letter().fill('Dear me');
    const line = page.getByText(/^For yourself, on \d+ \w+ \d{4}, 2 words$/);
    await line.waitFor();
    await page.getByText('Capsule Summary').waitFor({ state: 'hidden' });
    await line.click();
    await expect.poll(() => fact('Title')).toBe('The lake');
    expect(await axeInBothSchemes(page)).toEqual([]);
  });

  it('begins on a sheet that suggests how, says what is missing, and counts the words', async () => {
    await open('/create');
    const prompt = page.getByText('Dear you,', { exact: true });
    await prompt.waitFor();
    await summary().getByText('Still needed: a title, a description, recipients, a day').waitFor();
    await fillRest();
    await page.getByText('Dear me,', { exact: true }).waitFor();
    await summary().getByText('Still needed: a description', { exact: true }).waitFor();
    const height = () => letter().evaluate((area) => Number(Object(area).clientHeight));
    const before = await height();
    await letter().press('H');
    await page.getByText('Dear me,', { exact: true }).waitFor({ state: 'detached' });
    expect(await prompt.count()).toBe(0);
    await letter().fill(`Hello.\n\n${'A line of its own.\n'.repeat(30)}`);
    await expect.poll(() => fact('Letter')).toBe('151 words');
    await expect.poll(height).toBeGreaterThan(before);
    await description().fill('In winter');
    await summary()
      .getByText(/^Still needed/)
      .waitFor({ state: 'detached' });
    expect(await axeInBothSchemes(page)).toEqual([]);
  });

  it('an empty capsule is sealed only after a word', async () => {
    await open('/create');
    await fillRest();
    await description().fill('In winter');
    await button('Create Time Capsule').click();
    const question = page.getByRole('alertdialog', { name: 'Seal it anyway?' });
    await question.getByText("There's no letter and no file in it.").waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);
    await button('Not yet').and(page.locator(':focus')).press('Enter');
    await question.waitFor({ state: 'detached' });
    await description().fill(LONG);
    await button('Create Time Capsule').click();
    await question.getByText(/everyone you send it to can read the long description/).waitFor();
    await button('Move it to the letter').and(page.locator(':focus')).click();
    await expect.poll(() => letter().inputValue()).toBe(LONG);
    await description().and(page.locator(':focus')).fill('In winter');
    await letter().fill('');
    await button('Create Time Capsule').click();
    await button('Not yet').click();
    await button('Create Time Capsule').and(page.locator(':focus')).click();
    await button('Seal it').click();
    await page.getByText('Time capsule created successfully!').waitFor();
  });

  it('a letter to oneself in a year lacks nothing but the letter', async () => {
    await open('/create?begin=year');
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    await expect.poll(() => title().inputValue()).toBe('A letter to myself in a year');
    const inAYear = addYears(dayAt(new Date(), zone), 1);
    await expect.poll(() => page.getByLabel('Unlock Date').inputValue()).toBe(inAYear);
    await expect.poll(() => letter().inputValue()).toMatch(/^Dear me,/);
    await expect.poll(() => fact('Recipients')).toBe(`${ada.user.name} (You)`);
    await expect.poll(() => button('Create Time Capsule').isEnabled()).toBe(true);
    await button('Create Time Capsule').click();
    const question = page.getByRole('alertdialog', { name: 'Seal it anyway?' });
    await question.getByText('Your letter has only its opening line.').waitFor();
    await button('Not yet').click();
    await button('Ask others to add something').click();
    await page.getByRole('dialog', { name: 'Ask others to add' }).waitFor();
    await page.keyboard.press('Escape');
    // Whoever only looks leaves no draft behind.
    expect(await countDrafts()).toBe(0);
    await letter().press('End');
    await letter().press('I');
    await summary().getByText(SAVED).waitFor();
    await page.waitForURL(/draft=/);
    await page.reload();
    await title().waitFor();
    await expect.poll(() => title().inputValue()).toBe('A letter to myself in a year');
    await expect.poll(() => fact('Recipients')).toBe(`${ada.user.name} (You)`);
  });

  const BEGINNINGS: [string, string, RegExp][] = [
    ['child', 'For your 18th birthday', /eighteen today/],
    ['miss', "I've been thinking of you", /^I wish I could tell you/],
  ];
  for (const [name, words, opening] of BEGINNINGS) {
    it(`begins with “${name}”, and leaves the rest to the person`, async () => {
      await page.goto(`/create?begin=${name}`);
      if (name === 'child') await button('Cancel').click();
      await expect.poll(() => title().inputValue()).toBe(words);
      await expect.poll(() => letter().inputValue()).toMatch(opening);
      if (name === 'child') await letter().and(page.locator(':focus')).waitFor();
      await summary().getByText('Still needed: recipients, a day', { exact: true }).waitFor();
    });
  }

  it('a letter for an 18th birthday asks when that is, in a dialog of its own', async () => {
    await page.goto('/create?begin=child');
    const dialog = page.getByRole('dialog', { name: 'When were they born?' });
    const born = dialog.getByLabel('Date of birth');
    const open = dialog.getByRole('button', { name: 'Open on their 18th birthday' });
    await open.click();
    await page.getByText('Please enter a day, or cancel and choose one later.').waitFor();
    const thisYear = new Date().getUTCFullYear();
    await born.fill(`${thisYear - 18}-01-01`);
    await born.press('Enter');
    await page.getByText("They're eighteen already. Please choose another day.").waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);
    await born.fill(`${thisYear - 2}-02-28`);
    await born.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await letter().and(page.locator(':focus')).waitFor();
    expect(await page.getByLabel('Unlock Date').inputValue()).toBe(`${thisYear + 16}-02-28`);
  });

  it('a beginning never overwrites what is written', async () => {
    await open('/create');
    await title().fill('My own title');
    await summary().getByText(SAVED).waitFor();
    await page.waitForURL(/draft=/);
    await open(`${new URL(page.url()).pathname}${new URL(page.url()).search}&begin=child`);
    await expect.poll(() => title().inputValue()).toBe('My own title');
    await expect.poll(() => letter().inputValue()).toBe('');
  });

  it('a capsule for Tom begins on his profile, or where he was found', async () => {
    // From then on this device knows who is signed in, and his profile doesn't ask.
    await page.getByRole('tab', { name: 'My Capsules (0)' }).waitFor();
    await page.goto(`/profile/${tom.user.id}`);
    await page.getByRole('link', { name: 'Create a capsule for Tom' }).click();
    await expect.poll(() => fact('Recipients')).toBe(`Tom Becker (${tom.user.email})`);
    await page.getByText('Dear Tom,', { exact: true }).waitFor();
    await page.goto(`/profile/${ada.user.id}`);
    await page.getByRole('heading', { name: ada.user.name }).waitFor();
    expect(await page.getByRole('link', { name: /^Create a capsule for/ }).count()).toBe(0);

    await page.goto('/dashboard');
    await button('Discover Users').click();
    await page.getByRole('dialog').getByRole('searchbox').fill('becker');
    await page.getByRole('link', { name: 'Create a capsule for Tom' }).click();
    await expect.poll(() => fact('Recipients')).toBe(`Tom Becker (${tom.user.email})`);
    await open('/create?to=nobody@example.org');
    await page.getByText("We couldn't find nobody@example.org.").waitFor();
    await expect.poll(() => fact('Recipients')).toBe('No recipients selected');
  });
});
