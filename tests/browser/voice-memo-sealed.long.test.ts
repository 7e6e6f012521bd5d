import { describe, expect, it } from 'vitest';
import { rowsOf } from '../support/at-device.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { judgeLayouts, lostThings } from '../support/layout.ts';
import { sealedBy, untilSealed } from '../support/ledger.ts';
import { atRecorder, PAGE_CLOSED, PLAYER } from '../support/recorder.ts';
import { SAVED, writeCapsule } from '../support/screens.ts';

describe('a voice memo', () => {
  const { at, recorder, press, record, openFiles } = atRecorder();

  const write = () =>
    writeCapsule(at.page, {
      ...{ title: 'Listen', description: 'd', recipients: [at.ada.user.name] },
      ...{ message: 'Dear me', files: [] },
    });
  /** At 200 % on a small phone, once the page rests there. */
  const losesNothingInLargeText = async () => {
    const before = at.page.viewportSize();
    await at.page.setViewportSize({ width: 360, height: 740 });
    await at.page.evaluate('document.documentElement.style.fontSize = "200%"');
    await expect.poll(() => lostThings(at.page)).toEqual([]);
    await at.page.evaluate('document.documentElement.style.fontSize = ""');
    if (before) await at.page.setViewportSize(before);
  };

  it('is recorded without a connection, listened to, sealed, and played on its day', async () => {
    const { page, visitor, server, ada } = at;
    await visitor.context.grantPermissions(['microphone']);
    await judgeLayouts(visitor.context);
    await page.reload();
    await write();
    await visitor.context.setOffline(true);
    await page.getByRole('tab', { name: 'Content' }).click();
    await record();
    expect(await axeInBothSchemes(page)).toEqual([]);
    await losesNothingInLargeText();
    await press('Stop');
    await expect.poll(() => page.evaluate(PLAYER)).toBeGreaterThanOrEqual(2);
    expect(await axeInBothSchemes(page)).toEqual([]);
    await losesNothingInLargeText();
    await press('Add it');
    await page.getByText('1 File(s) Selected').waitFor();
    await page.getByText(/^Voice memo .+\.webm$/).waitFor();
    await recorder().waitFor({ state: 'detached' });
    // Its pieces are gone; the chunk is the attachment's.
    expect(await rowsOf(page, 'chunks')).toHaveLength(1);

    await page.getByRole('button', { name: 'Create Time Capsule' }).click();
    await page.getByText("We'll send it as soon as there's a connection.").waitFor();
    await visitor.context.setOffline(false);
    const [sealed] = await untilSealed(server.deps, ada.user.id);
    expect(sealed?.files).toHaveLength(1);
    await expect.poll(() => rowsOf(page, 'outbox')).toEqual([]);

    server.clock.advance({ days: 2 });
    await page.goto('/dashboard');
    await page
      .getByRole('link', { name: 'Open it' })
      .or(page.getByRole('button', { name: 'Open it' }))
      .click();
    await page.getByRole('button', { name: 'Press to open' }).click();
    const opened = page.getByRole('dialog', { name: 'Listen' });
    await opened.getByText('Dear me').waitFor();
    await opened.getByText('Listen to yourself', { exact: true }).waitFor();
    // Directly beneath the letter, and before everything else.
    expect(
      await opened.getByRole('region', { name: 'Personal message' }).getByRole('figure').count(),
    ).toBe(1);
    await opened.getByText('All files (1)').click();
    await opened.getByRole('img', { name: 'Voice memo' }).waitFor();
    await expect.poll(() => page.evaluate(PLAYER)).toBeGreaterThanOrEqual(2);
    // Back and forth: the file has no index of its own.
    const heardAt = await opened.locator('audio').evaluate(async (element) => {
      const player = Object(element);
      for (const time of [1.5, 0.2]) {
        player.currentTime = time;
        await new Promise((resolve) => player.addEventListener('seeked', resolve, { once: true }));
      }
      await player.play();
      return player.currentTime;
    });
    expect(heardAt).toBeGreaterThanOrEqual(0.2);
    expect(await opened.locator('video').count()).toBe(0);
    await losesNothingInLargeText();
    expect(await axeInBothSchemes(page)).toEqual([]);
    expect(visitor.problems.filter((problem) => !problem.includes('ERR_INTERNET'))).toEqual([]);
  });

  it('says what to do when the microphone is refused, and ends at its limit', async () => {
    await openFiles();
    await press('Record a voice memo', at.page);
    await press('Start recording');
    await recorder()
      .getByText("We can't use the microphone. Allow it for this site in your browser's settings")
      .waitFor();
    expect(await axeInBothSchemes(at.page)).toEqual([]);
    // Nothing was recorded, so no draft is left behind.
    expect(await rowsOf(at.page, 'drafts')).toEqual([]);
    await at.visitor.context.grantPermissions(['microphone']);
    await press('Start recording');
    await recorder().getByText('0:01 of 10:00').waitFor();
    // It ends by itself at the limit.
    await at.page.evaluate(
      '{ const now = performance.now(); performance.now = () => now + 600_000 }',
    );
    await recorder().getByText("That's as long as a voice memo can be.").waitFor();
    await expect.poll(() => at.page.evaluate(PLAYER)).toBeGreaterThanOrEqual(1);
  });

  it('is offered again when the page was closed in the middle', async () => {
    const { page, visitor } = at;
    await visitor.context.grantPermissions(['microphone']);
    await openFiles();
    await record();
    await page.reload();
    await recorder().getByText(PAGE_CLOSED).waitFor();
    await expect.poll(() => page.evaluate(PLAYER)).toBeGreaterThanOrEqual(1);
    await press('Add it');
    await recorder().waitFor({ state: 'detached' });
    await page.getByRole('complementary').getByText(SAVED).waitFor();
    await page.reload();
    await page.getByText('1 File(s) Selected').waitFor();
    expect(await recorder().count()).toBe(0);
    expect(await sealedBy(at.server.deps, at.ada.user.id)).toEqual([]);
  });
});
