import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { sharedWorld } from '../support/world.ts';

const contact = {
  email: 'host@capsules.example',
  links: [{ name: 'Our blog', url: 'https://blog.example/' }],
};
const { open } = sharedWorld({ config: { contact } });

it('a link to one section of a page leads there, from outside and from another page', async () => {
  const { page, problems } = await open();
  await page.goto('/help#leaving');
  await nearTop(page.getByRole('heading', { name: 'Deleting your account' }));

  // Not an escape, and nothing that the page could have: it is shown from its top.
  await page.goto('/help#%');
  await page.getByRole('heading', { level: 1, name: 'Help Center' }).waitFor();

  await page.goto('/terms');
  await page.getByRole('main').getByRole('link', { name: 'Privacy Policy' }).last().click();
  await page.waitForURL('/privacy#operator');
  await nearTop(page.getByRole('heading', { name: 'What the operator can see' }));

  await page.getByRole('link', { name: 'Deletion and export' }).click();
  await page.waitForURL('/privacy#deletion');
  expect(problems).toEqual([]);
});

it('shows the address and links of who runs this server', async () => {
  const { page, problems } = await open();
  await page.goto('/help');
  const footer = page.getByRole('contentinfo');
  await footer.getByRole('link', { name: 'host@capsules.example' }).waitFor();
  expect(await footer.getByRole('link', { name: /^Our blog/ }).getAttribute('href')).toBe(
    'https://blog.example/',
  );
  expect(await footer.getByRole('link', { name: /Mastodon/ }).count()).toBe(0);
  const main = page.getByRole('main');
  await main.getByText('Still stuck?').click();
  await main.getByRole('link', { name: 'host@capsules.example' }).first().waitFor();
  expect(problems).toEqual([]);
});

/** Waits until it stands right below the header. */
async function nearTop(heading: Locator): Promise<void> {
  await heading.waitFor();
  await until(async () => {
    const box = await heading.boundingBox();
    return box && box.y > 0 && box.y < 200 ? true : null;
  });
}
