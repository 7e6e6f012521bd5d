import { expect, it } from 'vitest';
import { signUp } from '../support/client.ts';
import { expectTogether, openOnBoth, typeWords } from '../support/typing.ts';
import { sharedWorld } from '../support/world.ts';

const { server, visit } = sharedWorld();

it('what two devices type in one letter stands on both within seconds, each word where it was typed', async () => {
  const both = await openOnBoth(await signUp(server.url, 'Ada'), visit);
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
}, 120_000);
