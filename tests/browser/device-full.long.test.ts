import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { listOpened } from '../../shared/api/opened.ts';
import { addDays, dayAt } from '../../shared/day.ts';
import { atDevice, rowsOf } from '../support/at-device.ts';
import { seal } from '../support/capsules.ts';
import { answerOf } from '../support/client.ts';
import { newDraft, newLink } from '../support/contributions.ts';
import { type FixtureFile, photo, sha256 } from '../support/fixtures.ts';
import { sealedBy } from '../support/ledger.ts';
import { answer, SAVED, signIn, writeCapsule } from '../support/screens.ts';

const FULL = "Your device is out of space, so your latest changes aren't saved.";

describe('a full device', () => {
  const at = atDevice({ room: 6_000_000 });

  function write(title: string, files: FixtureFile[] = []): Promise<void> {
    const recipients = [at.ada.user.name];
    return writeCapsule(at.page, { title, description: 'd', recipients, message: 'm', files });
  }

  it('keeps the files that fit, names the one that did not, and leaves nothing of it but that', async () => {
    const { page } = at;
    await write('Two files');
    await page.getByRole('tab', { name: 'Content' }).click();
    await pick(page, [await photo(), film(8_000_000), await photo('Second.jpg')]);
    await page
      .getByText("“Film.mp4” doesn't fit on this device. Your text and the other files are saved.")
      .waitFor();
    await page.getByText('Not saved on this device.').waitFor();
    await page.getByRole('complementary').getByText(SAVED).waitFor();
    const files = await rowsOf<{ name: string; complete: boolean }>(page, 'attachments');
    // Its name stays: tomorrow the draft would look as if nothing were missing.
    expect(files.map(({ name, complete }) => [name, complete]).toSorted()).toEqual([
      ['Film.mp4', false],
      ['Grandma at the lake.jpg', true],
      ['Second.jpg', true],
    ]);
    expect(await rowsOf(page, 'chunks')).toHaveLength(2);
    expect(at.visitor.problems).toEqual([]);
  });

  it.each([
    ['/profile/safety', /^New drafts stay/, '/user/draft-choice', true],
    ['/profile/emails', 'When somebody seals a capsule for you', '/user/notices', false],
  ] as const)(
    'shows a choice on %s that the server has saved, though the device can note nothing',
    async (address, name, path, isOn) => {
      const { page } = at;
      await page.goto(address);
      const choice = page.getByRole('switch', { name });
      await expect.poll(() => choice.isEnabled()).toBe(true);
      await page.waitForLoadState('networkidle');
      await at.room.fill();
      const saved = page.waitForResponse(
        (answer) => new URL(answer.url()).pathname === path && answer.request().method() === 'PUT',
      );
      await choice.click();
      expect((await saved).status()).toBe(200);
      await page.waitForLoadState('networkidle');
      expect(await choice.isChecked()).toBe(isOn);
      expect(await page.getByText("We couldn't save this.").count()).toBe(0);
    },
  );

  it('never says saved when it is not, and saves as soon as there is room', async () => {
    const { page } = at;
    await write('Before');
    await at.room.fill();
    await page.getByLabel('Capsule Title').fill('After');
    await page.getByText(FULL).waitFor();
    expect(await page.getByText(SAVED).count()).toBe(0);
    expect(await page.getByLabel('Capsule Title').inputValue()).toBe('After');
    // Typing goes on, and what cannot be kept is not lost from the screen.
    await page.getByLabel('Description').fill('Still typing');

    await page.getByRole('button', { name: 'Create Time Capsule' }).click();
    await page.getByText("Your device is out of space, so we couldn't save the capsule.").waitFor();
    expect(await rowsOf(page, 'outbox')).toEqual([]);
    expect(await page.getByLabel('Description').inputValue()).toBe('Still typing');

    await page.getByRole('button', { name: 'Ask others to add something' }).click();
    await page.getByLabel('A note to them').fill('A story of when she was small.');
    await page.getByRole('button', { name: 'Make the link' }).click();
    await page.getByText("We couldn't make the link. Please try again.").waitFor();
    expect(await page.getByLabel('A note to them').inputValue()).toMatch(/^A story/);
    await page.getByRole('button', { name: 'Cancel' }).click();

    await pickOne(page, await photo());
    await page.getByText("“Grandma at the lake.jpg” doesn't fit on this device.").waitFor();

    await at.room.free();
    await page.getByRole('complementary').getByText(SAVED).waitFor();
    const [draft] = await rowsOf<{ fields: { title: string; description: string } }>(
      page,
      'drafts',
    );
    expect(draft?.fields).toMatchObject({ title: 'After', description: 'Still typing' });
    await page.getByRole('button', { name: 'Create Time Capsule' }).click();
    await page.getByText('Time capsule created successfully!').waitFor();
    expect(at.visitor.problems).toEqual([]);
  });

  it('says so where nothing can be removed, and keeps what stands there', async () => {
    const { page } = at;
    await write('Stays');
    await page.evaluate(NOTHING_GOES);
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await answer(page, 'Discard the draft “Stays”?', 'Discard');
    await page.getByText("We couldn't save that on this device. Please try again.").waitFor();
    expect(await page.getByLabel('Capsule Title').inputValue()).toBe('Stays');
    await page.getByLabel('Capsule Title').fill('Stays, and goes on');
    await page.getByRole('complementary').getByText(SAVED).waitFor();
    const [draft] = await rowsOf<{ fields: { title: string } }>(page, 'drafts');
    expect(draft?.fields.title).toBe('Stays, and goes on');
  });

  it('sends nothing of which it could not note what became; with room it goes, once', async () => {
    const { page, ada, visitor } = at;
    const file = await photo();
    await write('Waits for room', [file]);
    await visitor.context.setOffline(true);
    await page.getByRole('button', { name: 'Create Time Capsule' }).click();
    await page.getByText("We'll send it as soon as there's a connection.").waitFor();
    await at.room.fill();
    const sent: string[] = [];
    visitor.context.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
    });
    await visitor.context.setOffline(false);
    await page.getByText("so we can't send what's in your outbox").waitFor();
    expect(sent).not.toContain('/api/capsules');
    expect(await sealedBy(at.server.deps, ada.user.id)).toEqual([]);

    await at.room.free();
    await page.evaluate('dispatchEvent(new Event("online"))');
    await expect.poll(() => rowsOf(page, 'outbox'), { timeout: 60_000 }).toEqual([]);
    expect(await sealedBy(at.server.deps, ada.user.id)).toEqual([
      { title: 'Waits for room', files: [sha256(file.bytes)] },
    ]);
  });

  it('says so too to whoever adds to a draft, in place of sending for ever', async () => {
    const { page, ada, visitor } = at;
    await page.goto(`/add#${await newLink(ada, await newDraft(ada))}`);
    await page.getByLabel('Your name').fill('Grandpa Karl');
    await page.getByLabel('Your letter').fill('A blessing');
    await page.getByText(/^Saved in this browser/).waitFor();
    await visitor.context.setOffline(true);
    await page.getByRole('button', { name: /^Send it to/ }).click();
    await page.getByRole('heading', { name: 'Waiting to be sent' }).waitFor();
    await at.room.fill();
    await visitor.context.setOffline(false);
    await page.getByText("so we can't send what you added").waitFor();
  });

  it('lets the server know what was read, so that nobody is reminded of it', async () => {
    const { page, ada, server } = at;
    const dateToUnlock = addDays(dayAt(server.clock.now(), 'UTC'), 1);
    await seal(ada, ada, { title: 'Read', dateToUnlock });
    server.clock.advance({ days: 2 });
    await page.reload();
    await page.getByRole('article').getByText('Ready to open').waitFor();
    await at.room.fill();
    await page.getByRole('button', { name: 'View details of Read' }).click();
    await page.getByRole('button', { name: 'Press to open' }).click();
    await page.getByText('I was here.').first().waitFor();
    const waiting = async () => answerOf(listOpened, await ada.get(listOpened.path));
    await expect.poll(waiting).toMatchObject({ total: 0 });
  });

  it('still shows what the server says, to whoever signs in', async () => {
    const { page, ada } = at;
    await page.getByRole('button', { name: 'Logout' }).first().click();
    await answer(page, 'Are you sure you want to logout?', 'OK');
    await page.waitForURL('/');
    await ada.createCapsule({
      title: 'Sealed elsewhere',
      description: 'On another device',
      dateToUnlock: '2036-01-01',
      recipientEmails: [ada.user.email],
    });
    await at.room.fill();
    // What was asked while the session ended was answered so, and meant nothing any more.
    const atTheEnd = at.visitor.problems.splice(0);
    expect(atTheEnd.filter((problem) => !problem.includes('status of 401'))).toEqual([]);
    await signIn(page, { email: ada.user.email, password: ada.password });
    await page.getByRole('article').filter({ hasText: 'Sealed elsewhere' }).waitFor();
    await page.getByRole('tab', { name: 'My Capsules (1)' }).waitFor();
    await page.goto('/profile');
    await page.getByRole('heading', { name: ada.user.name }).waitFor();
    await page.goto('/create');
    await page.getByLabel('Capsule Title').fill('No room for this');
    await page.getByText(FULL).waitFor();
    expect(at.visitor.problems).toEqual([]);
  });
});

/** The database deletes nothing from here on. */
const NOTHING_GOES = `{
  const refuse = () => {
    throw new DOMException('No room', 'QuotaExceededError');
  };
  IDBObjectStore.prototype.delete = refuse;
  IDBObjectStore.prototype.clear = refuse;
} undefined`;

function film(length: number): FixtureFile {
  return { name: 'Film.mp4', type: 'video/mp4', bytes: randomBytes(length) };
}

async function pickOne(page: Page, file: FixtureFile): Promise<void> {
  await page.getByRole('tab', { name: 'Content' }).click();
  await pick(page, [file]);
}

async function pick(page: Page, files: FixtureFile[]): Promise<void> {
  await page
    .locator('input[type=file]')
    .setInputFiles(files.map(({ name, type, bytes }) => ({ name, mimeType: type, buffer: bytes })));
}
