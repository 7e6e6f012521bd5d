import { describe, expect, it } from 'vitest';
import { atDevice, rowsOf } from '../support/at-device.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { atRecorder, PAGE_CLOSED, PLAYER } from '../support/recorder.ts';
import { SAVED } from '../support/screens.ts';

const CUT = 'The microphone was cut off. Everything until then is here.';

describe('a voice memo, in rarer states', () => {
  const { at, recorder, press, record, openFiles } = atRecorder();

  it('that is cut off has everything until then', async () => {
    const { page, visitor } = at;
    await visitor.context.grantPermissions(['microphone']);
    await openFiles();
    await record();
    // The browser then ends the microphone's track, as when it is unplugged.
    await visitor.context.clearPermissions();
    await recorder().getByText(CUT).waitFor();
    await expect.poll(() => page.evaluate(PLAYER)).toBeGreaterThanOrEqual(2);
    // It is not lost by one key, nor by one press.
    await page.keyboard.press('Escape');
    const question = page.getByRole('alertdialog', { name: 'Delete this recording?' });
    await press('Keep it', question);
    // Nor by many: unasked, the browser would close it for good.
    for (let presses = 0; presses < 5; presses += 1) {
      await page.keyboard.press('Escape');
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    if (await question.isVisible()) await press('Keep it', question);
    await press('Record again');
    await press('Delete', question);
    await recorder().getByText("We can't use the microphone.").waitFor();
    expect(await rowsOf(page, 'chunks')).toEqual([]);
  });

  it('that is still running ends, and goes on in the tab that takes the draft', async () => {
    const { page, visitor } = at;
    await visitor.context.grantPermissions(['microphone']);
    await page.goto('/create');
    await page.getByLabel('Capsule Title').fill('Listen');
    await page.getByRole('complementary').getByText(SAVED).waitFor();
    const other = await visitor.context.newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Go on here' }).waitFor();
    await page.bringToFront();
    await page.getByRole('tab', { name: 'Content' }).click();
    await record();
    await expect.poll(async () => (await rowsOf(page, 'chunks')).length).toBeGreaterThan(0);
    await other.bringToFront();
    await press('Go on here', other);
    await recorder().waitFor({ state: 'detached' });
    const here = other.getByRole('dialog', { name: 'Record a voice memo' });
    await here.getByText(PAGE_CLOSED).waitFor();
    expect(await axeInBothSchemes(other)).toEqual([]);
    await press('Add it', here);
    await other.getByText('1 File(s) Selected').waitFor();
  });
});

describe('on a full device, a voice memo', () => {
  const at = atDevice({ wholeBrowser: true, room: 6_000_000 });

  it('stays in the page until there is room for it', async () => {
    const { page } = at;
    await at.visitor.context.grantPermissions(['microphone']);
    await page.goto('/create');
    await page.getByLabel('Capsule Title').fill('Full');
    await page.getByRole('complementary').getByText(SAVED).waitFor();
    await at.room.fill();
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByRole('button', { name: 'Record a voice memo' }).click();
    const recorder = page.getByRole('dialog', { name: 'Record a voice memo' });
    await recorder.getByRole('button', { name: 'Start recording' }).click();
    await recorder.getByText("This device can't save what you record right now.").waitFor();
    await recorder.getByRole('button', { name: 'Stop' }).click();
    const add = recorder.getByRole('button', { name: 'Add it' });
    await add.click();
    await recorder.getByText("doesn't fit on this device.").waitFor();
    await at.room.free();
    await add.click();
    await recorder.waitFor({ state: 'detached' });
    await page.getByText('1 File(s) Selected').waitFor();
    expect(await page.getByText('Not saved on this device.').count()).toBe(0);
  });
});
