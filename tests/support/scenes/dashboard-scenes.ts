import { unfoldFigures } from '../screens.ts';
import { type Scene, type Stage, scrollTo } from './scene.ts';

const LISTS = ['/api/capsules/created', '/api/capsules/received'];

const view = ({ page }: Stage, title: string) =>
  page.getByRole('button', { name: `View details of ${title}`, exact: true });

/** The dashboard with its cards on it. */
async function openCards(stage: Stage, path = '/dashboard'): Promise<void> {
  await stage.go(path);
  await stage.page.getByRole('article').filter({ visible: true }).first().waitFor();
}

/** The connection is gone, and the app has noticed. */
async function goOffline({ page, setOffline }: Stage): Promise<void> {
  await setOffline(true);
  await page.getByText("You're offline").waitFor();
}

/** The lists in all their states. */
export const dashboardScenes: readonly Scene[] = [
  { name: 'dashboard', as: 'ada', show: (stage) => openCards(stage) },
  {
    name: 'dashboard-cards',
    as: 'ada',
    async show(stage) {
      await openCards(stage);
      await scrollTo(stage.page.getByRole('tablist', { name: 'Capsules' }));
    },
  },
  { name: 'dashboard-page-2', as: 'ada', show: (stage) => openCards(stage, '/dashboard?page=2') },
  {
    name: 'dashboard-received',
    as: 'ada',
    show: (stage) => openCards(stage, '/dashboard?tab=received'),
  },
  { name: 'dashboard-one', as: 'olive', show: (stage) => openCards(stage) },
  {
    name: 'dashboard-ready',
    as: 'ada',
    async show(stage) {
      const capsule = {
        id: stage.world.capsules['Open this when the first snow falls'] ?? '',
        title: 'Open this when the first snow falls',
        senderName: 'Grace Hopper',
        createdAt: '2027-11-20T09:00:00.000Z',
        unlockAt: '2029-12-01T00:00:00.000Z',
        dateToUnlock: '2029-12-01',
      };
      const body = { total: 1, capsules: [capsule] };
      await stage.break('/api/capsules/opened', { status: 200, body });
      await openCards(stage);
      await stage.page.getByRole('heading', { name: 'A capsule has opened for you' }).waitFor();
    },
  },
  {
    name: 'dashboard-push-blocked',
    as: 'ada',
    async show(stage) {
      await stage.page.addInitScript(`
        let permission = 'default';
        Object.defineProperty(Notification, 'permission', { get: () => permission });
        Notification.requestPermission = async () => (permission = 'denied');
      `);
      await openCards(stage);
      await stage.page.getByRole('button', { name: 'Tell me' }).click();
      await stage.page.getByText('You can allow them in its settings for this site.').waitFor();
    },
  },
  { name: 'dashboard-empty', as: 'nora', show: ({ go }) => go('/dashboard') },
  { name: 'dashboard-long', as: 'max', show: (stage) => openCards(stage) },
  {
    name: 'dashboard-empty-received',
    as: 'nora',
    show: ({ go }) => go('/dashboard?tab=received'),
  },
  {
    name: 'dashboard-found',
    as: 'ada',
    async show({ page, go }) {
      await go('/dashboard');
      await page.getByRole('searchbox', { name: 'Search capsules' }).fill('lake');
      await page.getByRole('tab', { name: 'My Capsules (1)' }).waitFor();
    },
  },
  {
    name: 'dashboard-found-nothing',
    as: 'ada',
    async show({ page, go }) {
      await go('/dashboard?q=dinosaur');
      await page.getByText('No capsules match').first().waitFor();
    },
  },
  {
    name: 'dashboard-loading',
    as: 'ada',
    async show({ page, hold }) {
      for (const path of [...LISTS, '/api/capsules/dashboard-summary']) await hold(path);
      await page.goto('/dashboard');
      await page.getByText('Loading summary...').waitFor();
      await page.getByText('Loading capsules...').first().waitFor();
    },
  },
  {
    name: 'dashboard-failed',
    as: 'ada',
    async show(stage) {
      const body = { message: 'The attic is closed for today', code: 'INTERNAL' };
      for (const path of [...LISTS, '/api/capsules/dashboard-summary']) {
        await stage.break(path, { status: 500, body });
      }
      await stage.go('/dashboard');
      await stage.page.getByText('Error: The attic is closed for today').waitFor();
    },
  },
  {
    name: 'dashboard-failed-kept',
    as: 'ada',
    async show(stage) {
      await stage.go('/dashboard');
      const body = { message: 'The attic is closed for today', code: 'INTERNAL' };
      for (const path of LISTS) await stage.break(path, { status: 500, body });
      await stage.go('/dashboard');
      await stage.page.getByText('Error: The attic is closed for today').waitFor();
      await view(stage, 'Letters from the lake').waitFor();
    },
  },
  {
    name: 'dashboard-offline',
    as: 'ada',
    async show(stage) {
      await openCards(stage, '/dashboard?page=2');
      await openCards(stage);
      await goOffline(stage);
      await stage.page.getByRole('button', { name: 'Page 2', exact: true }).click();
      await stage.page
        .getByText(/^Updated \d/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'dashboard-offline-nothing-kept',
    as: 'ada',
    async show(stage) {
      await openCards(stage);
      await goOffline(stage);
      await stage.page.getByRole('button', { name: 'Page 2', exact: true }).click();
      await stage.page.getByText('Not saved on this device.').first().waitFor();
    },
  },
  {
    name: 'dashboard-menu',
    as: 'ada',
    async show({ page, go }) {
      await go('/dashboard');
      await page.getByRole('button', { name: 'Profile menu' }).click();
      await page.getByRole('menu', { name: 'Profile menu' }).waitFor();
    },
  },
  {
    name: 'dashboard-table',
    as: 'ada',
    async show({ page, go }) {
      await go('/dashboard');
      await unfoldFigures(page);
      await page.getByText('Show as a table').click();
      await scrollTo(page.getByRole('table'));
    },
  },
  {
    name: 'discover-users',
    as: 'ada',
    async show({ page, go }) {
      await go('/dashboard');
      await page.getByRole('main').getByRole('button', { name: 'Discover Users' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'discover-users-found',
    as: 'ada',
    async show({ page, go }) {
      await go('/dashboard');
      await page.getByRole('main').getByRole('button', { name: 'Discover Users' }).click();
      await page.getByRole('dialog').getByRole('searchbox').fill('example.org');
      await page.getByText('users found').waitFor();
    },
  },
  {
    name: 'discover-users-none',
    as: 'ada',
    async show({ page, go }) {
      await go('/dashboard');
      await page.getByRole('main').getByRole('button', { name: 'Discover Users' }).click();
      await page.getByRole('dialog').getByRole('searchbox').fill('nobody at all');
      await page.getByText('No users found matching the query.').waitFor();
    },
  },
];
