import { describe, expect, it } from 'vitest';
import { pushPayload } from './push.ts';

const APP_URL = 'https://capsule.example';

/** Of a notification in a declarative push message, by the W3C's Push API. */
const STRINGS = ['title', 'lang', 'body', 'tag'];
const ADDRESSES = ['navigate', 'icon'];

/** Safari 18.4 and 18.5 look for the number there. Later ones follow the standard and ignore it. */
const OF_OLD_SAFARI = 'app_badge';

describe('pushPayload', () => {
  const read = (told: { capsules: number; waiting: number }) =>
    JSON.parse(pushPayload({ appUrl: APP_URL }, told));

  it('is a declarative push message that browsers show by themselves [33.push.12]', () => {
    const message = read({ capsules: 2, waiting: 3 });
    expect(Object.keys(message).sort()).toEqual(['app_badge', 'notification', 'web_push']);
    expect(message.web_push).toBe(8030);
    const { notification } = message;
    expect(Object.keys(notification).sort()).toEqual(
      [...STRINGS, ...ADDRESSES, 'dir', OF_OLD_SAFARI].sort(),
    );
    for (const name of STRINGS) expect(notification[name]).toMatch(/./);
    // Without a base: Safari takes whole addresses only.
    for (const name of ADDRESSES) expect(new URL(notification[name]).origin).toBe(APP_URL);
    expect(['auto', 'ltr', 'rtl']).toContain(notification.dir);
    expect(notification.lang).toBe('en');
    // Written as numbers: the standard ignores text, and Safari takes whole ones from 0 on.
    for (const waiting of [0, 3]) {
      const { app_badge, notification } = read({ capsules: 1, waiting });
      expect([app_badge, notification[OF_OLD_SAFARI]]).toEqual([waiting, waiting]);
    }
  });

  it('fits into the 4096 bytes that push services take, encrypted [33.push.12]', () => {
    // An address may be long; the header, the padding's mark and the tag take 103 bytes.
    const appUrl = `https://${'a'.repeat(60)}.${'b'.repeat(60)}.example`;
    const payload = pushPayload({ appUrl }, { capsules: 100_000, waiting: 100_000 });
    expect(Buffer.byteLength(payload)).toBeLessThan(4096 - 103);
  });
});
