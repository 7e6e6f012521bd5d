import { chooseFor, SAVED } from '../screens.ts';
import { uuidOf } from './sample-world.ts';
import type { Scene, Stage } from './scene.ts';

async function openMenu({ page, isPhone }: Stage): Promise<void> {
  if (isPhone) await page.getByRole('button', { name: 'Open menu' }).click();
}

async function askToLogOut(stage: Stage): Promise<void> {
  await openMenu(stage);
  await stage.page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  await stage.page.getByRole('alertdialog').waitFor();
}

/** What is around every page. */
export const frameScenes: readonly Scene[] = [
  {
    name: 'menu',
    as: 'ada',
    async show(stage) {
      await stage.go('/');
      await openMenu(stage);
    },
  },
  {
    name: 'menu-visitor',
    async show(stage) {
      await stage.go('/');
      await openMenu(stage);
    },
  },
  {
    name: 'footer',
    async show({ page, go }) {
      await go('/');
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    },
  },
  {
    name: 'logout',
    as: 'ada',
    async show(stage) {
      await stage.go('/dashboard');
      await askToLogOut(stage);
    },
  },
  {
    name: 'logout-loses-work',
    as: 'ada',
    async show(stage) {
      const { page } = stage;
      await stage.go('/create');
      await page.getByLabel('Capsule Title').fill('Half a letter');
      await page.getByText(SAVED).waitFor();
      await stage.queue([
        {
          id: uuidOf('Half a letter'),
          fields: {
            title: 'Half a letter',
            description: '',
            recipients: [],
            dateToUnlock: '2031-01-01',
            notifyRecipient: false,
            personalMessage: '',
          },
          timeZone: 'UTC',
          state: 'needs-fix',
          queuedAt: 0,
          attempts: 0,
          nextTryAt: 0,
          mayHaveArrived: false,
          failure: null,
          files: [],
          totalBytes: 0,
          sentBytes: 0,
        },
      ]);
      await stage.go('/dashboard');
      await askToLogOut(stage);
      await page.getByText('Signing out deletes').waitFor();
    },
  },
  {
    name: 'logout-failed',
    as: 'ada',
    async show(stage) {
      await stage.go('/dashboard');
      await stage.break('/auth/logout', { status: 500, body: { message: 'No', code: 'INTERNAL' } });
      await askToLogOut(stage);
      await stage.page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
      await stage.page.getByText('Unable to logout due to technical issues.').waitFor();
    },
  },
  {
    name: 'toast-success',
    as: 'ada',
    async show(stage) {
      const { page, world } = stage;
      await stage.go('/dashboard');
      const title = 'For the new kitchen, if it is ever finished';
      const body = { message: 'Capsule deleted' };
      await stage.break(`/api/capsules/${world.capsules[title]}`, { status: 200, body });
      await chooseFor(page, title, 'Delete');
      await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
      await page.getByText('Capsule deleted successfully!').waitFor();
    },
  },
  {
    name: 'unfinished-drafts',
    as: 'ada',
    async show({ page, go }) {
      await go('/create');
      await page.getByLabel('Capsule Title').fill('Half a letter');
      await page.getByText(SAVED).waitFor();
      await go('/dashboard');
      await page.getByText('Half a letter').waitFor();
    },
  },
];
