import type { Locator, Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import type { Capsule } from '../../shared/api/capsules.ts';
import type { Visitor } from './browser.ts';
import { PASSWORD, type SignedIn, signUp } from './client.ts';
import { signIn } from './screens.ts';
import { sharedWorld, type VisitOptions, type World } from './world.ts';

export const NOT_LOADED = "We couldn't load it. If trying again doesn't help, download it.";
export const MESSAGE = 'Dear Grace,\n\nwhen you read this, the lake is frozen again.';
/** What a browser has of the first video. */
export const READY_STATE = 'document.querySelector("video")?.readyState ?? 0';

/** Looks at a capsule on a device of its own. @param before is done once she is signed in */
type Look = (
  capsule: Capsule,
  reducedMotion: 'reduce' | 'no-preference',
  options?: VisitOptions,
  before?: (page: Page) => Promise<unknown>,
) => Promise<Visitor & { dialog: Locator }>;

/** Ada, who has sealed capsules, and Grace, who gets them. */
interface AtOpened extends Pick<World, 'server' | 'open'> {
  ada: SignedIn;
  grace: SignedIn;
  look: Look;
  /** The same, once she has opened it. */
  lookInside: Look;
}

/** One server for a file, the day before its capsules open. */
export function atOpened(): AtOpened {
  const { server, open } = sharedWorld({ clock: '2029-12-31T12:00:00Z' });
  const at = {
    server,
    open,
    async look(capsule, reducedMotion, options = {}, before = async () => {}) {
      const visitor = await open({ reducedMotion, ...options });
      await signIn(visitor.page, { email: at.grace.user.email, password: PASSWORD });
      await before(visitor.page);
      await visitor.page.goto(`/dashboard?capsule=${capsule.id}`);
      const dialog = visitor.page.getByRole('dialog', { name: capsule.title });
      await dialog.waitFor();
      return { ...visitor, dialog };
    },
    async lookInside(capsule, ...asked) {
      await at.grace.put(`/api/capsules/${capsule.id}/seen`);
      return at.look(capsule, ...asked);
    },
  } as AtOpened;

  beforeAll(async () => {
    at.ada = await signUp(server.url, 'Ada Lovelace');
    at.grace = await signUp(server.url, 'Grace Hopper');
  });
  return at;
}
