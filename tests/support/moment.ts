import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach } from 'vitest';
import { lookAtMoments, sealingMoment, type Visitor } from './browser.ts';
import { type SignedIn, signUp } from './client.ts';
import { signIn } from './screens.ts';
import { sharedWorld, type World } from './world.ts';

/** Ada at a new device for each test, where she looks at the moment in which a capsule is sealed. */
export function atMoment() {
  const world = sharedWorld();
  let ada: SignedIn;
  const at = { world } as { world: World; visitor: Visitor; page: Page };

  beforeAll(async () => {
    ada = await signUp(world.server.url, 'Ada Lovelace');
    await signUp(world.server.url, 'Mia Becker');
  });
  beforeEach(() => arrive());

  async function arrive(options: Parameters<World['open']>[0] = {}): Promise<void> {
    at.visitor = await world.open(options);
    at.page = at.visitor.page;
    await lookAtMoments(at.page);
    await signIn(at.page, { email: ada.user.email, password: ada.password });
  }
  const moment = () => sealingMoment(at.page);
  return {
    at,
    arrive,
    moment,
    heading: () => moment().getByRole('heading'),
    inMoment: (name: string) => moment().getByRole('button', { name }),
    focused: (target: Locator) => target.and(at.page.locator(':focus')).waitFor(),
    // A letter to oneself is in both lists.
    cardOf: (title: string) =>
      at.page.locator('[data-capsule]').filter({ hasText: title, visible: true }),
    create: () => at.page.getByRole('button', { name: 'Create Time Capsule' }).click(),
    capsule: (title: string, recipients = ['Ada Lovelace']) => ({
      title,
      description: 'In winter',
      recipients,
      message: 'It was cold, Mia.',
      files: [],
    }),
  };
}
