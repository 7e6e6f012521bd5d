import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { longDate } from '../../client/pages/format.ts';
import type { Capsule } from '../../shared/api/capsules.ts';
import { addDays, dayAt } from '../../shared/day.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { whileBroken } from '../support/break-calls.ts';
import { downloaded } from '../support/browser.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { clip, pdf, photo, sha256 } from '../support/fixtures.ts';
import { rare } from '../support/rare.ts';
import { signIn } from '../support/screens.ts';
import { until } from '../support/until.ts';
import { sharedWorld } from '../support/world.ts';

/** A place on a card, all of which opens its details, that the dialog does not cover. */
const OUTSIDE_AND_OVER_A_CARD = `(() => {
  const dialog = document.querySelector('dialog').getBoundingClientRect();
  const cards = [...document.querySelectorAll('button[aria-label^="View details of "]')];
  const corners = cards.map((card) => card.getBoundingClientRect()).map(({ left, top }) => ({ x: left + 8, y: top + 8 }));
  const isOutside = ({ x, y }) => x < dialog.left || x > dialog.right || y < dialog.top || y > dialog.bottom;
  const found = corners.find((corner) => isOutside(corner) && corner.y > 0 && corner.y < innerHeight);
  if (!found) throw new Error(JSON.stringify({ dialog, corners }));
  return found;
})()`;

describe('the details of a capsule', () => {
  const world = sharedWorld();
  let page: Page;
  let ada: SignedIn;
  let grace: SignedIn;
  let opened: Capsule;
  let locked: Capsule;
  let tomorrow: string;

  const dialog = () => page.getByRole('dialog');
  const whoIs = async () => ({ storageState: await page.context().storageState() });
  const show = async ({ id }: Capsule) => {
    await page.goto(`/dashboard?capsule=${id}`);
    await dialog().waitFor();
  };
  const fact = (term: string) =>
    dialog()
      .locator('dl > div')
      .filter({ has: page.getByText(term, { exact: true }) })
      .locator('dd')
      .allInnerTexts();
  const long = (day: string) =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));

  beforeAll(async () => {
    const now = new Date();
    tomorrow = addDays(dayAt(now, 'UTC'), 1);
    // Sealed two days ago, opened yesterday.
    world.server.clock.advance({ days: -2 });
    const { url, clock } = world.server;
    [ada, grace] = await Promise.all([signUp(url, 'Ada Lovelace'), signUp(url, 'Grace Hopper')]);
    const files = [await photo('lake.jpg'), await clip('steps.mp4'), pdf('letter.pdf')];
    const many = [1, 2, 3, 4, 5, 6].map((n) => pdf(`page ${n}.pdf`));
    opened = await seal(
      ada,
      grace,
      { title: 'The lake', dateToUnlock: addDays(tomorrow, -2), personalMessage: 'It was cold.' },
      [...files, { ...(await photo('odd')), name: 'odd.name' }, ...many],
    );
    clock.set(now);
    locked = await seal(ada, grace, { title: 'The snow', dateToUnlock: tomorrow }, [pdf()]);
    ({ page } = await world.open());
    await signIn(page, { email: ada.user.email, password: ada.password });
  });

  it('open from the card, and close again [2.dashboard.19]', async () => {
    await page.getByRole('button', { name: 'View details of The snow' }).click();
    await page.getByRole('dialog', { name: 'The snow' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  rare('a tap or a click outside closes them and presses nothing beneath', async () => {
    const { page } = await world.open({ ...(await whoIs()), hasTouch: true });
    await page.goto('/dashboard');
    const opener = page.getByRole('button', { name: 'View details of The snow' });
    for (const press of ['tap', 'click'] as const) {
      await opener.click();
      const details = page.getByRole('dialog', { name: 'The snow' });
      await details.waitFor();
      const { x, y } = await page.evaluate<{ x: number; y: number }>(OUTSIDE_AND_OVER_A_CARD);
      await (press === 'tap' ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
      await details.waitFor({ state: 'detached' });
      // A press that came through would have opened them again by now.
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 500))');
      expect(await page.getByRole('dialog').count()).toBe(0);
      await opener.and(page.locator(':focus')).waitFor();
    }
    // A press that begins inside, to mark some words, is none outside.
    await opener.click();
    await page.getByRole('dialog', { name: 'The snow' }).getByText('Opens tomorrow').hover();
    await page.mouse.down();
    await page.mouse.move(5, 300);
    await page.mouse.up();
    await page.getByRole('dialog', { name: 'The snow' }).waitFor();
  });

  it('of a locked one: from, to, dates and the sentence, but no message and no files [2.dashboard.21 2.dashboard.22 2.dashboard.25 2.dashboard.26 4.lock.3]', async () => {
    await show(locked);
    await dialog()
      .getByText(
        `This capsule is still locked. Come back on ${long(tomorrow)} to view its contents.`,
        { exact: true },
      )
      .waitFor();
    await expect.poll(() => fact('From')).toEqual([`Ada Lovelace ${ada.user.email}`]);
    await expect.poll(() => fact('To')).toEqual([`Grace Hopper ${grace.user.email}`]);
    await dialog().getByText('1 day remaining', { exact: true }).waitFor();
    await dialog().getByText(long(tomorrow), { exact: true }).waitFor();
    expect(await dialog().getByText('I was here.').count()).toBe(0);
    expect(
      await dialog()
        .getByRole('button', { name: /^Download/ })
        .count(),
    ).toBe(0);
  });

  it('say when the day begins where the reader is, if that is another moment [2.dashboard.23]', async () => {
    await page.getByText(`Come back on ${long(tomorrow)} to view its contents.`).waitFor();
    const elsewhere = await world.open({
      storageState: await page.context().storageState(),
      timezoneId: 'Asia/Tokyo',
    });
    await elsewhere.page.goto(`/dashboard?capsule=${locked.id}`);
    await elsewhere.page.getByText('In your time zone', { exact: true }).waitFor();
    await elsewhere.page.getByText(`${long(tomorrow)} at 09:00`).waitFor();
    await elsewhere.close();
  });

  rare('tell the creator what became of the mails', async () => {
    const told = await seal(ada, grace, {
      title: 'The rain',
      dateToUnlock: tomorrow,
      notifyRecipient: true,
    });
    const isSent = async () =>
      (await ada.get(`/api/capsules/${told.id}/notices`)).text.includes('"sent"') || null;
    await until(isSent);
    await show(told);
    const today = longDate(new Date().toISOString());
    await dialog().getByText(`We emailed Grace Hopper on ${today}`).waitFor();
    const again = dialog().getByRole('button', { name: 'Send again to Grace Hopper' });
    await page.context().setOffline(true);
    await again.click();
    await dialog()
      .getByRole('alert')
      .getByText('You need a connection to send it again.')
      .waitFor();
    await page.context().setOffline(false);
    await whileBroken(page, `/api/capsules/${told.id}/notices`, 'cut', async () => {
      await again.click();
      await again.waitFor({ state: 'detached' });
    });
    await until(isSent);
    await show(told);
    await dialog().getByText(`We emailed Grace Hopper on ${today}`).waitFor();
    await dialog()
      .getByText(/^You can send it again on .+ at \d\d:\d\d\.$/)
      .waitFor();
    expect(
      await dialog()
        .getByRole('button', { name: /^Send again/ })
        .count(),
    ).toBe(0);
  });

  rare(
    'mark the mails that did not arrive with another icon, and not by colour alone',
    async () => {
      const one = { recipientEmail: 'mia@example.org', kind: 'capsule-waiting', againAt: null };
      const at = new Date().toISOString();
      const states = ['delivered', 'bounced', 'complained', 'failed', 'unknown'];
      const notices = states.map((state, n) => ({
        ...one,
        id: String(n),
        recipientName: `Mia ${n}`,
        state,
        at,
        sentAt: at,
      }));
      const body = { notices };
      await whileBroken(
        page,
        `/api/capsules/${locked.id}/notices`,
        { status: 200, body },
        async () => {
          await show(locked);
          const mark = async (text: string) => {
            const row = dialog().getByRole('status').filter({ hasText: text });
            return row.locator('svg').innerHTML();
          };
          const delivered = await mark('Delivered to Mia 0');
          for (const text of ['refused our email', 'as spam', "couldn't reach", "don't know"]) {
            expect(await mark(text)).not.toBe(delivered);
          }
          expect(await axeInBothSchemes(page)).toEqual([]);
        },
      );
    },
  );

  it('of an opened one: the message and the files, each with the icon of its kind [2.dashboard.24 2.dashboard.26 2.dashboard.28 4.lock.2 9.limits.14]', async () => {
    await show(opened);
    await dialog().getByText('It was cold.').waitFor();
    await dialog().getByText('Unlocked', { exact: true }).waitFor();
    expect(
      await dialog()
        .getByText(/still locked/)
        .count(),
    ).toBe(0);
    await dialog().getByText('All files (10)').click();
    const rows = dialog().getByRole('listitem');
    for (const [name, kind] of [
      ['lake.jpg', 'Image'],
      ['steps.mp4', 'Video'],
      ['letter.pdf', 'PDF'],
      ['odd.name', 'File'],
    ] as const) {
      await rows
        .filter({ hasText: name })
        .getByRole('img', { name: kind, exact: true })
        .last()
        .waitFor();
    }
    await rows
      .filter({ hasText: 'letter.pdf' })
      .getByText('1 KB', { exact: true })
      .last()
      .waitFor();
  });

  it('hold the files in a list that scrolls beyond 300 px [2.dashboard.29 9.limits.22]', async () => {
    const [scrolls, height] = await page.evaluate<[boolean, string]>(
      `((list) => [list.scrollHeight > list.clientHeight, getComputedStyle(list).maxBlockSize])(Array.from(document.querySelectorAll('dialog ul')).findLast((list) => list.textContent.includes('page 6.pdf')))`,
    );
    expect(height).toBe('300px');
    expect(scrolls).toBe(true);
  });

  it('save a file under its name, byte for byte [2.dashboard.27 7.calls.10]', async () => {
    const button = dialog().getByRole('button', { name: 'Download letter.pdf' });
    const { name, bytes } = await downloaded(page, () => button.click());
    expect(name).toBe('letter.pdf');
    expect(sha256(bytes)).toBe(sha256(pdf('letter.pdf').bytes));
  });

  it('say when a file could not be downloaded [8.errors.10]', async () => {
    const { json } = await ada.get(`/api/capsules/${opened.id}`);
    const { fileInfo } = json as Capsule;
    const id = fileInfo.find(({ fileName }) => fileName === 'lake.jpg')?.fileId;
    await whileBroken(page, `/api/capsules/download/${id}`, 'cut', async () => {
      await dialog().getByRole('button', { name: 'Download lake.jpg' }).click();
      await dialog().getByText('Failed to download file. Please try again.').waitFor();
    });
  });
});
