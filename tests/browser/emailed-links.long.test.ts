import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { lookAtLink } from '../../shared/api/addresses.ts';
import { openInvitation } from '../../shared/api/invitations.ts';
import { sharedWorld } from '../support/world.ts';

const { server, open } = sharedWorld();
const TOKEN = `capsule-opened.${'x'.repeat(43)}`;

it('no page behind a link changes anything before a press, as mail scanners open them all', async () => {
  const routes = await readFile('client/routes.tsx', 'utf8');
  // Whatever page is added there is opened here as well.
  const paths = [...routes.matchAll(/["']((?:auth|notices|add)(?:\/[^"']+)?)["']/g)].map(
    ([, path]) => path,
  );
  expect(paths).toContain('auth/undo-passkey');
  const { page } = await open();
  const changes: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const isRead =
      request.method() === 'GET' || [openInvitation.path, lookAtLink.path].includes(pathname);
    if (!isRead)
      changes.push(`${request.method()} ${pathname}, from ${new URL(page.url()).pathname}`);
  });
  for (const path of paths) {
    // A page takes its token from behind the #, or from the query.
    const behind = path === 'add' ? TOKEN : `token=${TOKEN}&invitation=${TOKEN}`;
    await page.goto(`${server.url}/${path}?token=${TOKEN}#${behind}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
  }
  expect(changes).toEqual([]);
});
