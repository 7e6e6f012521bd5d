import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { MESSAGE_MAX } from '../../shared/limits.ts';
import { watchAppended } from '../support/appended.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { lookAtMoments } from '../support/browser.ts';
import { signUp } from '../support/client.ts';
import { pdf, photo, sha256 } from '../support/fixtures.ts';
import { sealedBy, untilSealed } from '../support/ledger.ts';
import type { Fate } from '../support/lossy-proxy.ts';
import { atQueue, gate, KEPT, PART_BYTES, share, video } from '../support/queue.ts';
import { answer, SAVED, signIn } from '../support/screens.ts';

const CREATED = 'Time capsule created successfully!';

/* The oracle is always the server: exactly one capsule, every byte of its files. */

describe('the queue, where the page sends', () => {
  const at = atQueue();
  const { server, arrive, write, create } = at;

  it('an answer lost after the capsule was made does not make a second one', async () => {
    const page = await arrive();
    await lookAtMoments(page);
    const file = await photo();
    await write(page, 'Said once', [file]);
    let lost = 0;
    let isAsked = false;
    const next = gate();
    const answer = gate();
    at.proxy.decide = async (method, path) => {
      if (method === 'POST' && path === '/api/capsules') {
        if (isAsked) await answer.pass();
        else lost += 1;
        return isAsked ? 'pass' : 'lose-answer';
      }
      // It must not be found out before the person asks: each try begins with this call.
      if (lost > 0 && path === '/user/me') await next.pass();
      return 'pass';
    };
    await create(page);
    await page.getByText(KEPT).waitFor();
    await untilSealed(server.deps, at.ada.user.id);
    await page.getByRole('link', { name: 'Open outbox' }).click();
    await page.getByRole('button', { name: 'Edit Said once' }).click();
    await page.getByText('Tap Try now to check').waitFor();
    await page.getByRole('button', { name: 'Try now', exact: true }).click();
    isAsked = true;
    next.open();
    // While the answer may come at any moment there is nothing to find out.
    await page.getByText('Sending…').waitFor();
    await page.getByRole('button', { name: 'Edit Said once' }).click();
    await page.getByText('This capsule is being sent right now.').waitFor();
    answer.open();
    await page.getByText('Nothing is waiting.').waitFor();
    // The seal closes, and then the focus goes back. The button that was pressed is gone with its capsule.
    await page.getByRole('heading', { name: /^Sealed until/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');

    expect(await sealedBy(server.deps, at.ada.user.id)).toEqual([
      { title: 'Said once', files: [sha256(file.bytes)] },
    ]);
    // Chromium itself repeats a request whose connection was cut before a word came back.
    expect(lost).toBeGreaterThan(0);
    // What only asks whether it has arrived brings no files. The draft may have brought it once.
    const parts = at.proxy.requests.filter((line) => line.startsWith('PATCH /api/uploads'));
    expect(parts.length).toBeLessThanOrEqual(1);
  });

  /** What live regions have said of how far something is. */
  async function spokenPercents(page: Page): Promise<string[]> {
    const spoken = await page.evaluate<string[]>('spoken');
    return spoken.filter((text) => text.includes('%'));
  }

  it('a large video cut in the middle goes on from there', async () => {
    const page = await arrive();
    const file = await video(24_000_000);
    await write(page, 'The film', [file]);
    const places = watchAppended(server.deps.files);
    let parts = 0;
    const third = gate();
    at.proxy.decide = async (method): Promise<Fate> => {
      if (method !== 'PATCH') return 'pass';
      parts += 1;
      if (parts === 3) await third.pass();
      return 'pass';
    };
    await page.evaluate('recordSpoken()');
    await create(page);
    await third.reached;
    await page.getByRole('button', { name: /^Uploading\.\.\. \d+%$/ }).waitFor();
    // 8 MiB of 24 MB have arrived, and more may have left: quarters are spoken of.
    await expect.poll(() => spokenPercents(page)).not.toEqual([]);
    await at.visitor.context.setOffline(true);
    await page.getByText(KEPT).waitFor();
    await page.getByRole('link', { name: 'Open outbox' }).click();
    await page.getByRole('article', { name: 'The film' }).waitFor();
    third.open();
    await at.visitor.context.setOffline(false);
    expect(await untilSealed(server.deps, at.ada.user.id)).toEqual([
      { title: 'The film', files: [sha256(file.bytes)] },
    ]);
    const spoken = await spokenPercents(page);
    expect(spoken.filter((text) => !/^Uploading (25|50|75|100)%$/.test(text))).toEqual([]);
    // Only the part that was under way went again, in smaller ones at first.
    expect(parts).toBeLessThanOrEqual(Math.ceil(file.bytes.length / PART_BYTES) + 5);
    expect(places().filter((at) => at === 0)).toHaveLength(1);
  });

  it('another person on this device neither sees nor sends it', async () => {
    const grace = await signUp(server.url, `Grace ${at.people}`);
    const page = await arrive();
    await write(page, 'Not for Grace');
    await at.visitor.context.setOffline(true);
    await create(page);
    await page.getByText(KEPT).waitFor();
    await at.visitor.context.clearCookies();
    await at.visitor.context.setOffline(false);
    await page.waitForURL('/');

    await signIn(page, { email: grace.user.email, password: grace.password });
    await page.getByRole('tab', { name: 'My Capsules (0)' }).waitFor();
    await page.goto('/outbox');
    await page.getByText('Nothing is waiting.').waitFor();
    expect(await page.content()).not.toContain('Not for Grace');
    expect(await sealedBy(server.deps, grace.user.id)).toEqual([]);
    expect(await sealedBy(server.deps, at.ada.user.id)).toEqual([]);

    await at.visitor.context.clearCookies();
    await page.goto('/profile');
    await page.waitForURL('/');
    await signIn(page, { email: at.ada.user.email, password: at.ada.password });
    expect(await untilSealed(server.deps, at.ada.user.id)).toEqual([
      { title: 'Not for Grace', files: [] },
    ]);
    expect(await sealedBy(server.deps, grace.user.id)).toEqual([]);
  });

  it('what the server refuses comes back to the form, with its files', async () => {
    const page = await arrive();
    await write(page, 'Come back', [await photo()]);
    // The server's tomorrow is the day that was chosen here.
    const before = server.clock.now();
    server.clock.advance({ days: 1 });
    await create(page);
    await page.getByText(/^Error: The unlock date must be after today\./).waitFor();
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByText('1 File(s) Selected').waitFor();
    expect(await page.getByLabel('Capsule Title').inputValue()).toBe('Come back');
    server.clock.set(before);
    await create(page);
    await page.getByText(CREATED).waitFor();
    expect((await sealedBy(server.deps, at.ada.user.id)).map(({ title }) => title)).toEqual([
      'Come back',
    ]);
  });

  it('what is shared with the app becomes a draft, also without a network', async () => {
    const page = await arrive();
    const file = await photo();
    await at.visitor.context.setOffline(true);
    const letter = pdf('Letter.pdf', 'Words of a letter');
    await share(page, [file, letter, { ...file, name: 'Notes.txt', type: 'text/plain' }]);
    // Any web page can share: the person looks first.
    await page.getByRole('heading', { name: 'Add what was shared?' }).waitFor();
    await page.getByText('Letter.pdf').waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByText('2 File(s) Selected').waitFor();
    await page.getByText("We couldn't add Notes.txt. Only images").first().waitFor();
    expect(await page.getByLabel('Capsule Title').inputValue()).toBe('At the lake');
    // With its bytes, under its draft.
    expect((await at.visitor.kept()).includes('Words of a letter')).toBe(true);
    // Too much of it is the person's own to take out: nothing is cut off.
    await page.getByRole('tab', { name: 'Message' }).click();
    const { length } = await page.getByLabel('Personal Message').inputValue();
    expect(length).toBe(MESSAGE_MAX + 10_000);
  });

  it('drafts with files survive a reload, side by side', async () => {
    const page = await arrive();
    await write(page, 'First draft', [await photo()]);
    await page.reload();
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByText('1 File(s) Selected').waitFor();
    expect(await page.getByLabel('Capsule Title').inputValue()).toBe('First draft');
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await write(page, 'Second draft');
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await page.getByRole('heading', { name: '2 unfinished drafts' }).waitFor();
    await page.getByRole('link', { name: 'Create New Capsule' }).click();
    await page.getByLabel('Description', { exact: true }).fill('For later');
    await page.waitForURL(/draft=/);
    await page.getByRole('complementary').getByText(SAVED).waitFor();
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await page.getByRole('button', { name: 'Discard For later' }).click();
    await answer(page, 'Discard the draft “For later”?', 'Discard');
    await page.getByRole('heading', { name: '2 unfinished drafts' }).waitFor();

    await page.getByRole('button', { name: 'Discard Second draft' }).click();
    await answer(page, 'Discard the draft “Second draft”?', 'Discard');
    await page.getByRole('link', { name: 'Continue First draft' }).click();
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByText('1 File(s) Selected').waitFor();

    await page.getByRole('button', { name: 'Logout' }).first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
    // Words and file are in the account by then, so nothing is asked.
    await page.waitForURL('/');
    expect(await at.visitor.kept()).not.toContain('First draft');

    await signIn(page, { email: at.ada.user.email, password: at.ada.password });
    await page.getByRole('link', { name: 'Continue First draft' }).click();
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByText('1 File(s) Selected').waitFor();
  });
});
