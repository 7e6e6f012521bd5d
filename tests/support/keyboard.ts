import type { Locator, Page } from 'playwright-core';

/** More controls than any screen has. */
const STEPS_MAX = 90;

/** Presses Tab, or another key, until the keyboard has come to this element. */
export async function keyTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  const there = target.and(page.locator(':focus'));
  for (let step = 0; step < STEPS_MAX; step += 1) {
    if ((await there.count()) > 0) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never comes to ${target}`);
}

/** Goes to this element by Tab alone and presses a key there. */
export async function pressAt(page: Page, target: Locator, key: string): Promise<void> {
  await keyTo(page, target);
  await page.keyboard.press(key);
}

/** Goes to this field by Tab alone and types. */
export async function typeAt(page: Page, target: Locator, text: string): Promise<void> {
  await keyTo(page, target);
  await page.keyboard.type(text);
}
