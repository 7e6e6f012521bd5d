import { type Scene, scrollTo } from './scene.ts';

/** Who people are, and how they leave. */
export const profileScenes: readonly Scene[] = [
  { name: 'profile', as: 'ada', show: ({ go }) => go('/profile') },
  { name: 'profile-emails', as: 'ada', show: ({ go }) => go('/profile/emails') },
  { name: 'profile-safety', as: 'ada', show: ({ go }) => go('/profile/safety') },
  { name: 'profile-long', as: 'max', show: ({ go }) => go('/profile') },
  {
    name: 'profile-not-told',
    as: 'ada',
    async show(stage) {
      const body = { waiting: true, opened: false, reminder: true };
      await stage.break('/user/notices', { status: 200, body });
      await stage.go('/profile/emails');
      await scrollTo(
        stage.page.getByText("We'll stop emailing you when a capsule opens").first(),
        'center',
      );
    },
  },
  {
    name: 'profile-errors',
    as: 'ada',
    async show({ page, go }) {
      await go('/profile');
      await page.getByLabel('Display name').fill('A');
      await page.getByLabel('Bio').fill('x '.repeat(240));
      await page.locator('input[type=file]').setInputFiles({
        name: 'notes.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('no'),
      });
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await page.getByText('Display name must be at least 2 characters').waitFor();
    },
  },
  {
    name: 'profile-saved',
    as: 'olive',
    async show({ page, go, ...stage }) {
      await go('/profile');
      await stage.break('/user/update-profile', {
        status: 200,
        body: { ...stage.world.user('olive'), bio: 'Once is enough.' },
      });
      await page.getByLabel('Bio').fill('Once is enough.');
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await page.getByText('Profile updated successfully!').waitFor();
    },
  },
  {
    name: 'profile-avatar',
    as: 'grace',
    async show({ page, go }) {
      await go('/profile');
      await page.getByRole('button', { name: 'Enlarge your avatar' }).click();
      await page.getByRole('dialog').getByRole('img').waitFor();
    },
  },
  {
    name: 'profile-delete',
    as: 'ada',
    async show({ page, go }) {
      await go('/profile/safety');
      await page.getByRole('button', { name: 'Delete account' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
      await page.getByRole('dialog').getByText('Password is required').waitFor();
    },
  },
  {
    name: 'profile-failed',
    as: 'ada',
    async show(stage) {
      await stage.break('/user/me', 'cut');
      await stage.go('/profile');
      await stage.page.getByText('Unable to load profile information').waitFor();
    },
  },
  {
    name: 'public-profile',
    as: 'ada',
    show: ({ go, world }) => go(`/profile/${world.user('grace').id}`),
  },
  { name: 'public-profile-long', show: ({ go, world }) => go(`/profile/${world.user('max').id}`) },
  {
    name: 'public-profile-loading',
    async show({ page, hold, world }) {
      await hold('/community/public-profile');
      await page.goto(`/profile/${world.user('grace').id}`);
      await page.getByRole('main').locator('[aria-busy], [role=status]').first().waitFor();
    },
  },
  {
    name: 'public-profile-not-found',
    show: ({ go }) => go('/profile/00000000-0000-4000-8000-000000000000'),
  },
];
