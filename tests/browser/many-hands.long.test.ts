import { beforeAll, describe, expect, it } from 'vitest';
import type { Capsule } from '../../shared/api/capsules.ts';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { answerOf, PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { namedFile, newDraft, newLink, sealDraft, Writer } from '../support/contributions.ts';
import { clip, type FixtureFile, photo } from '../support/fixtures.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const BEFORE = '2029-12-31T12:00:00Z';
const AFTER = '2030-01-01T12:00:00Z';

/** The letters, names and pictures of the dialog, in the order in which they stand. */
const IN_TURN = `[...document.querySelectorAll('dialog h3:not(.visually-hidden), dialog section > p[dir], dialog [aria-label^=Enlarge], dialog figcaption')]
  .map((part) => part.getAttribute('aria-label') ?? part.textContent)`;

describe('a capsule that many have filled', () => {
  const { server, open } = sharedWorld({ clock: BEFORE, wholeBrowser: true });
  let mia: SignedIn;
  let capsule: Capsule;

  async function add(token: string, name: string, letter: string, files: FixtureFile[] = []) {
    const writer = new Writer(server.url, token);
    const named = files.map(namedFile);
    await writer.save(0, { name, letter, files: named });
    for (const [at, file] of named.entries()) {
      await writer.upload(file, files[at]?.bytes ?? Buffer.alloc(0));
    }
  }

  beforeAll(async () => {
    const anna = await signUp(server.url, 'Anna Lind');
    mia = await signUp(server.url, 'Mia Lind');
    const draft = await newDraft(anna);
    const token = await newLink(anna, draft);
    const film = await clip();
    await add(token, 'Grandpa Karl', 'My blessing, for all your days.\n\nKarl', [
      { ...film, name: 'Voice memo, 31 December 2029.mp4' },
    ]);
    await add(token, 'Aunt Tove', '', [await photo('The album.jpg'), await photo('The lake.jpg')]);
    await add(token, 'Per', 'You were so small.', [{ ...film, name: 'Voice memo.mp4' }]);
    const fields = { title: 'For Mia, 18', personalMessage: 'Dear Mia, it is today.' };
    const sealed = await sealDraft(anna, draft, { ...fields, recipientEmails: [mia.user.email] }, [
      await photo('The day you came.jpg'),
    ]);
    capsule = answerOf(createCapsule, sealed);
    server.clock.set(AFTER);
    await mia.put(`/api/capsules/${capsule.id}/seen`);
  });

  async function look(width: number) {
    const visitor = await open({ viewport: { width, height: 780 }, reducedMotion: 'reduce' });
    await signIn(
      visitor.page,
      { email: mia.user.email, password: PASSWORD },
      `/dashboard?capsule=${capsule.id}`,
    );
    const dialog = visitor.page.getByRole('dialog', { name: capsule.title });
    await dialog.getByText('it is today').waitFor();
    return { ...visitor, dialog };
  }

  it('begins with its sender, and leads on to everybody in the order they came', async () => {
    const { page, dialog, problems } = await look(360);
    await dialog
      .getByText('3 letters and more, from Anna Lind, Grandpa Karl, Aunt Tove and Per')
      .waitFor();
    expect(await page.evaluate<string[]>(IN_TURN)).toEqual([
      'Anna Lind',
      'Dear Mia, it is today.',
      'Enlarge The day you came.jpg',
      'Grandpa Karl',
      'My blessing, for all your days.\n\nKarl',
      expect.stringContaining('Listen to Grandpa'),
      'Aunt Tove',
      'Enlarge The album.jpg',
      'Enlarge The lake.jpg',
      'Per',
      'You were so small.',
      'Listen to Per',
    ]);
    const others = dialog.getByRole('navigation', { name: 'Also in this capsule' });
    expect(await others.getByRole('listitem').allInnerTexts()).toEqual([
      'Grandpa Karl\na letter, a voice memo',
      'Aunt Tove\n2 photos',
      'Per\na letter, a voice memo',
    ]);
    await dialog.getByText('All files (5)').waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('leads by a name to what they wrote', async () => {
    const { page, dialog } = await look(360);
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await dialog.getByRole('button', { name: 'Per a letter' }).click();
    await expect.poll(focused).toBe('Per');
    await dialog.getByRole('button', { name: 'Aunt Tove 2 photos' }).click();
    await expect.poll(focused).toBe('Aunt Tove');
  });

  it('prints all letters, each on a page of its own under the name of who wrote it', async () => {
    const { page, dialog } = await look(1280);
    await page.evaluate('window.print = () => { document.title = "printing"; }');
    // After the last letter, where somebody has read them.
    const last = dialog.getByRole('article', { name: 'Per' });
    await last.getByRole('button', { name: 'Print the letters' }).click();
    expect(await page.title()).toBe('printing');
    await page.emulateMedia({ media: 'print' });
    const printed = await page.evaluate<string>('document.body.innerText');
    expect(printed.split(/\n+/)).toEqual([
      'For Mia, 18',
      'Anna Lind',
      'Dear Mia, it is today.',
      'Grandpa Karl',
      'My blessing, for all your days.',
      'Karl',
      'Per',
      'You were so small.',
      'From Anna Lind',
      'Sealed on 31 December 2029',
      'Unlocked on 1 January 2030',
    ]);
    const pages = (await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g);
    expect(pages).toHaveLength(3);
  });

  it('what somebody has added can be reported', async () => {
    const { page, dialog } = await look(360);
    await dialog.getByRole('button', { name: 'More about what Per added' }).click();
    await page.getByRole('menuitem', { name: 'Report' }).click();
    const report = page.getByRole('dialog', { name: 'Report what Per added' });
    await report.getByText("They'll see the letter, the file names").waitFor();
    await report.getByRole('radio').first().check();
    await report.getByRole('button', { name: 'Send report' }).click();
    await page.getByText("Thank you. We've passed it on.").waitFor();
    const [row] = await server.deps.db.query.reports.findMany();
    expect(row).toMatchObject({ capsuleId: capsule.id, contributionId: expect.any(String) });
  });
});
