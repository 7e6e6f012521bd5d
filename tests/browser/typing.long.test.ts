import { describe, expect, it } from 'vitest';
import { signUp } from '../support/client.ts';
import { expectTogether, openOnBoth, savedToAccount, typeWords } from '../support/typing.ts';
import { sharedWorld } from '../support/world.ts';

describe('two devices with one letter open', { timeout: 300_000 }, () => {
  const { server, visit } = sharedWorld();

  it('what two devices type in one letter stands on both within seconds, each word where it was typed', async () => {
    const both = await openOnBoth(await signUp(server.url, 'Cleo'), visit);
    const [laptop, phone] = both;
    const typing = { count: 12, delay: 60 };
    await Promise.all([
      typeWords(laptop, 'desk', { at: 'End', ...typing }),
      typeWords(phone, 'train', { at: 'Home', ...typing }),
    ]);
    await expectTogether(both, 'train', 'desk', { count: 12, timeout: 20_000 });
    // The caret stands where the last word was typed.
    for (const { page } of both) await page.keyboard.type('!');
    const letter = laptop.page.getByLabel('Personal Message');
    await expect
      .poll(() => letter.inputValue(), { timeout: 20_000 })
      .toMatch(/^train1\..* train12\. !Dear Mia desk1\..* desk12\.!$/);
  });

  it('type for 80 seconds, and show the same ten seconds after the last key', async () => {
    const both = await openOnBoth(await signUp(server.url, 'Ada'), visit);
    // Eight keys a word, five a second.
    const typing = { count: 50, delay: 200 };
    await Promise.all([
      typeWords(both[0], 'desk', { at: 'End', ...typing }),
      typeWords(both[1], 'train', { at: 'Home', ...typing }),
    ]);
    await expectTogether(both, 'train', 'desk', { count: 50, timeout: 10_000 });
  });

  it('come together when one was offline meanwhile', async () => {
    const both = await openOnBoth(await signUp(server.url, 'Bea'), visit);
    const [laptop, phone] = both;
    await phone.context.setOffline(true);
    const typing = { count: 20, delay: 50 };
    await Promise.all([
      typeWords(laptop, 'desk', { at: 'End', ...typing }),
      typeWords(phone, 'train', { at: 'Home', ...typing }),
    ]);
    // Nobody types on the laptop any more: nothing of its own has it ask.
    await savedToAccount(laptop);
    await phone.context.setOffline(false);
    await expectTogether(both, 'train', 'desk', { count: 20, timeout: 12_000 });
  });
});
