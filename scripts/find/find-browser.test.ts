import { describe, expect, it } from 'vitest';
import { findBrowser, findHeadlessShell } from './find-browser.mjs';

describe('finding a browser', () => {
  it('takes the one that CHROMIUM_PATH names', () => {
    expect(findBrowser({ CHROMIUM_PATH: process.execPath, PATH: '' })).toBe(process.execPath);
  });

  it('says so when CHROMIUM_PATH names nothing, instead of taking another', () => {
    expect(() => findBrowser({ ...process.env, CHROMIUM_PATH: '/no/such/program' })).toThrow(
      'CHROMIUM_PATH names no program that can be run: /no/such/program',
    );
  });

  it('takes it for the headless shell too', () => {
    const environment = { CHROMIUM_PATH: process.execPath, PATH: '' };
    expect(findHeadlessShell(environment)).toBe(process.execPath);
  });
});
