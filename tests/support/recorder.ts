import type { Locator, Page } from 'playwright-core';
import { atDevice } from './at-device.ts';

export const PAGE_CLOSED = 'Your last recording was cut off. Everything until then is here.';
/** How many seconds the player takes, once it can be played. */
export const PLAYER = `(() => {
  const { duration, readyState } = document.querySelector('dialog audio') ?? {};
  return readyState > 0 ? Math.round(duration) : null;
})()`;

/** A person at their own device, and how they record. */
export function atRecorder() {
  const at = atDevice({ wholeBrowser: true });
  const recorder = () => at.page.getByRole('dialog', { name: 'Record a voice memo' });
  const press = (name: string, within: Page | Locator = recorder()) =>
    within.getByRole('button', { name, exact: true }).click();
  return {
    at,
    recorder,
    press,
    async record() {
      await press('Record a voice memo', at.page);
      await press('Start recording');
      await recorder().getByText('Recording.', { exact: true }).waitFor();
      await recorder().getByText('0:02 of 10:00').waitFor();
    },
    async openFiles() {
      await at.page.goto('/create');
      await at.page.getByRole('tab', { name: 'Content' }).click();
    },
  };
}
