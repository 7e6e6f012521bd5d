import type { Blocked } from '../../../shared/api/blocks.ts';
import { type Scene, type Stage, scrollTo } from './scene.ts';

const BLOCKED: Blocked = {
  people: [
    {
      id: '00000000-0000-4000-8000-000000000001',
      name: 'Mallory',
      email: 'mallory@example.org',
      avatar: 'M',
      blockedAt: '2030-05-01T09:00:00.000Z',
    },
    {
      id: '00000000-0000-4000-8000-000000000002',
      name: 'Donaudampfschifffahrtsgesellschaftskapitän von und zu Hohenlohe',
      email: 'a.very.long.address.of.somebody.who.is.blocked@subdomain.example.org',
      avatar: 'D',
      blockedAt: '2029-11-27T09:00:00.000Z',
    },
  ],
};

async function openMenu({ page, go }: Stage): Promise<void> {
  await go('/dashboard?tab=received');
  await page
    .getByRole('article')
    .filter({ hasText: 'From Grace Hopper' })
    .getByRole('button', { name: /^More about/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Report' }).waitFor();
}

async function openReport(stage: Stage): Promise<void> {
  await openMenu(stage);
  await stage.page.getByRole('menuitem', { name: 'Report' }).click();
  await stage.page.getByRole('dialog', { name: /^Report/ }).waitFor();
}

/** The device learns who is signed in on the dashboard. */
async function goToProfile({ world, go }: Stage): Promise<void> {
  await go('/dashboard');
  await go(`/profile/${world.user('grace').id}`);
}

/** Who is kept out. */
export const peopleScenes: readonly Scene[] = [
  {
    name: 'people',
    as: 'ada',
    async show(stage) {
      await stage.break('/user/blocked', { status: 200, body: BLOCKED });
      await stage.go('/profile/people');
    },
  },
  { name: 'people-nobody', as: 'ada', show: ({ go }) => go('/profile/people') },
  {
    name: 'people-offline',
    as: 'ada',
    async show(stage) {
      await stage.break('/user/blocked', 'cut');
      await stage.go('/profile/people');
    },
  },
  { name: 'people-menu', as: 'ada', show: openMenu },
  {
    name: 'people-block',
    as: 'ada',
    async show(stage) {
      await openMenu(stage);
      await stage.page.getByRole('menuitem', { name: /^Block/ }).click();
      await stage.page.getByRole('dialog', { name: /^Block/ }).waitFor();
    },
  },
  {
    name: 'people-block-failed',
    as: 'ada',
    async show(stage) {
      await openMenu(stage);
      await stage.page.getByRole('menuitem', { name: /^Block/ }).click();
      const dialog = stage.page.getByRole('dialog', { name: /^Block/ });
      await dialog.getByRole('checkbox').check();
      await stage.page.route(/\/user\/blocked\//, (route) => route.abort());
      await dialog.getByRole('button', { name: 'Block' }).click();
      await dialog.getByText('You need a connection to change this.').waitFor();
    },
  },
  { name: 'people-report', as: 'ada', show: openReport },
  {
    name: 'people-report-refused',
    as: 'ada',
    async show(stage) {
      await openReport(stage);
      const dialog = stage.page.getByRole('dialog', { name: /^Report/ });
      await dialog.getByRole('button', { name: 'Send report' }).click();
      await scrollTo(dialog.getByText('Please choose a reason'), 'center');
    },
  },
  {
    name: 'people-profile-menu',
    as: 'ada',
    async show(stage) {
      await goToProfile(stage);
      await stage.page.getByRole('button', { name: /^More about/ }).click();
      await stage.page.getByRole('menuitem', { name: 'Report' }).waitFor();
    },
  },
  {
    name: 'people-profile-blocked',
    as: 'ada',
    async show(stage) {
      const [person] = BLOCKED.people;
      const people = person ? [{ ...person, id: stage.world.user('grace').id }] : [];
      await stage.break('/user/blocked', { status: 200, body: { people } });
      await goToProfile(stage);
      await stage.page.getByText("You've blocked Grace.").waitFor();
    },
  },
  {
    name: 'people-details-menu',
    as: 'ada',
    async show(stage) {
      await stage.go('/dashboard?tab=received');
      await stage.page
        .getByRole('article')
        .filter({ hasText: 'From Grace Hopper' })
        .getByRole('button', { name: /^View details of/ })
        .first()
        .click();
      const dialog = stage.page.getByRole('dialog');
      await dialog.getByRole('button', { name: /^More about/ }).click();
      await dialog.getByRole('menuitem', { name: 'Report' }).waitFor();
    },
  },
];
