import { describe, expect, it } from 'vitest';
import { pushPayload } from './push.ts';

const APP_URL = 'https://capsule.example';

/** Of a notification in a declarative push message, by the W3C's Push API. */
const STRINGS = ['title', 'lang', 'body', 'tag'];
const ADDRESSES = ['navigate', 'icon'];

describe('pushPayload', () => {
  it('is a declarative push message that browsers show by themselves [33.push.12]', () => {
    const message = JSON.parse(pushPayload({ appUrl: APP_URL }, 2));
    expect(Object.keys(message).sort()).toEqual(['notification', 'web_push']);
    expect(message.web_push).toBe(8030);
    const { notification } = message;
    expect(Object.keys(notification).sort()).toEqual([...STRINGS, ...ADDRESSES, 'dir'].sort());
    for (const name of STRINGS) expect(notification[name]).toMatch(/./);
    // Without a base: Safari takes whole addresses only.
    for (const name of ADDRESSES) expect(new URL(notification[name]).origin).toBe(APP_URL);
    expect(['auto', 'ltr', 'rtl']).toContain(notification.dir);
    expect(notification.lang).toBe('en');
  });

  it('fits into the 4096 bytes that push services take, encrypted [33.push.12]', () => {
    // An address may be long; the header, the padding's mark and the tag take 103 bytes.
    const appUrl = `https://${'a'.repeat(60)}.${'b'.repeat(60)}.example`;
    const payload = pushPayload({ appUrl }, 100_000);
    expect(Buffer.byteLength(payload)).toBeLessThan(4096 - 103);
  });
});
