import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { downloaded } from '../support/browser.ts';
import { CAMERA, clip, pdf, photo, sha256 } from '../support/fixtures.ts';
import { rare } from '../support/rare.ts';
import { answer, chooseFor, createCapsule, register, signIn } from '../support/screens.ts';
import { until } from '../support/until.ts';
import { sharedWorld } from '../support/world.ts';

const ada = { name: 'Ada Lovelace', email: 'ada@example.org', password: 'engine' };
const grace = { name: 'Grace Hopper', email: 'grace@example.org', password: 'compiler' };
const MESSAGE = 'When you read this, the lake is frozen.';

describe('the main job, by mouse', () => {
  const { server, visit } = sharedWorld();

  it('a capsule tells nothing until its day, then gives back every byte [4.create.4]', async () => {
    const sender = await visit();
    const recipient = await visit({}, { isRecorded: true });
    const files = [await photo(), await clip(), pdf()];

    await register(recipient.page, grace);
    await register(sender.page, ada);
    await signIn(sender.page, ada);
    await createCapsule(sender.page, {
      title: 'The winter of the lake',
      description: 'Open it together',
      recipients: [grace.name],
      message: MESSAGE,
      files,
    });

    await signIn(recipient.page, grace);
    const locked = await openDetails(
      recipient.page,
      'Shared With Me (1)',
      'The winter of the lake',
    );
    await locked
      .getByText(/^This capsule is still locked\. Come back on .+ to view its contents\.$/)
      .waitFor();
    await locked.getByText(ada.name).first().waitFor();
    await locked.getByText(grace.email).first().waitFor();

    const secrets = [
      MESSAGE,
      CAMERA,
      ...files.flatMap(({ name, bytes }) => [name, sha256(bytes), middleOf(bytes)]),
    ];
    await expect.poll(() => recipient.kept()).toContain('The winter of the lake');
    const seen = [
      await recipient.received(),
      await recipient.kept(),
      await recipient.page.content(),
    ];
    for (const text of seen) expect(text).toContain('The winter of the lake');
    expect(secrets.filter((secret) => seen.some((text) => text.includes(secret)))).toEqual([]);

    expect(JSON.stringify(server.mailer.sent)).not.toContain(MESSAGE);

    server.clock.advance({ days: 1 });
    await recipient.page.reload();
    // The address says which capsule is looked at, so it is still open after the reload.
    const open = recipient.page.getByRole('dialog', { name: 'The winter of the lake' });
    await open.getByRole('button', { name: 'Press to open' }).click();
    await open.getByText(MESSAGE).waitFor();
    await open.getByText('All files (').click();
    for (const file of files) {
      const button = open.getByRole('button', { name: new RegExp(`Download.*${file.name}`) });
      const { name, bytes } = await downloaded(recipient.page, () => button.click());
      expect(name).toBe(file.name);
      expect(sha256(bytes)).toBe(sha256(file.bytes));
    }

    await server.announce();
    const told = await until(() => {
      const opened = server.mailer.sent.filter((mail) => mail.text.includes('It has opened'));
      return opened.length === 2 ? opened.map((mail) => mail.to) : null;
    });
    expect(told.toSorted()).toEqual([ada.email, grace.email]);

    expect([...sender.problems, ...recipient.problems]).toEqual([]);
  });

  rare('a creator deletes a capsule, and it is gone for both', async () => {
    server.clock.set(new Date());
    const sender = await visit();
    const recipient = await visit();
    const title = 'A mistake';
    await signIn(sender.page, ada);
    await createCapsule(sender.page, {
      title,
      description: 'Not meant to be sent',
      recipients: [grace.name],
      message: 'By mistake',
      files: [],
    });
    const card = sender.page.getByRole('article').filter({ hasText: title });
    const question = 'Are you sure you want to delete this capsule? This action cannot be undone.';

    await chooseFor(sender.page, title, 'Delete');
    await sender.page.getByText('It disappears for everyone, and goes to your bin').waitFor();
    await answer(sender.page, question, 'Cancel');
    await card.waitFor();

    await chooseFor(sender.page, title, 'Delete');
    await answer(sender.page, question, 'OK');
    await card.waitFor({ state: 'detached' });

    await signIn(recipient.page, grace);
    await recipient.page.getByRole('tab', { name: 'Shared With Me (1)' }).click();
    expect(await recipient.page.getByText(title).count()).toBe(0);

    expect([...sender.problems, ...recipient.problems]).toEqual([]);
  });
});

async function openDetails(page: Page, tab: string, title: string) {
  await page.getByRole('tab', { name: tab }).click();
  const card = page.getByRole('article').filter({ hasText: title });
  await card.getByRole('button', { name: /View/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(title).first().waitFor();
  return dialog;
}

/** A few bytes that stand nowhere else. */
function middleOf(bytes: Buffer): string {
  const middle = Math.floor(bytes.length / 2);
  return bytes.subarray(middle, middle + 24).toString('latin1');
}
