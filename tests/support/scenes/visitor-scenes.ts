import type { Scene, Stage } from './scene.ts';

const submit = ({ page }: Stage, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click();

const INVITATION = {
  email: 'grandma@example.com',
  name: null,
  inviterName: 'Ada Lovelace',
};

const CONTACT = { email: 'family@capsules.example', links: [] };

/** What anyone may see. */
export const visitorScenes: readonly Scene[] = [
  { name: 'home', show: ({ go }) => go('/') },
  { name: 'home-member', as: 'ada', show: ({ go }) => go('/') },
  {
    name: 'home-capsule-waits',
    async show({ page, go }) {
      await go('/dashboard?tab=received&capsule=0198c0de-0000-7000-8000-000000000000');
      await page.getByRole('heading', { name: 'A capsule is waiting for you.' }).waitFor();
    },
  },
  {
    name: 'home-account-ready',
    async show(stage) {
      const { page } = stage;
      await stage.go('/auth?register=true');
      await stage.break('/auth/register', {
        status: 201,
        body: { message: 'Welcome', emailVerificationRequired: true },
      });
      await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
      await page.getByLabel('Email', { exact: true }).fill('ada-lovelace@example.org');
      await page.getByLabel('Password', { exact: true }).fill('correct horse');
      await submit(stage, 'Create Account');
      await page.getByRole('region', { name: 'Your account is ready' }).waitFor();
    },
  },
  {
    name: 'home-asks-to-log-in',
    async show({ page, go }) {
      await go('/');
      await page.getByRole('button', { name: 'Create Your Capsule' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  { name: 'login', show: ({ go }) => go('/auth') },
  { name: 'register', show: ({ go }) => go('/auth?register=true') },
  {
    name: 'terms-of-the-host',
    async show(stage) {
      const pages = { imprintUrl: 'https://a.example/i', termsUrl: 'https://a.example/t' };
      await stage.break('/api/contact', { status: 200, body: { ...CONTACT, ...pages } });
      await stage.go('/terms');
      await stage.page.getByRole('link', { name: 'Imprint' }).waitFor();
    },
  },
  ...(['invited', 'closed'] as const).map((registration) => ({
    name: `register-${registration}`,
    async show(stage: Stage) {
      await stage.break('/api/contact', { status: 200, body: { ...CONTACT, registration } });
      await stage.go('/auth?register=true');
      await stage.page.getByRole('main').getByText(CONTACT.email).waitFor();
    },
  })),
  {
    name: 'invitation-closed',
    async show(stage) {
      const body = { ...CONTACT, registration: 'closed' };
      await stage.break('/api/contact', { status: 200, body });
      await stage.break('/auth/invitation', {
        status: 200,
        body: { ...INVITATION, isClosed: true },
      });
      await stage.go('/auth?register=true&invitation=x');
      await stage.page.getByRole('main').getByText(CONTACT.email).waitFor();
    },
  },
  {
    name: 'register-errors',
    async show(stage) {
      await stage.go('/auth?register=true');
      await stage.page.getByLabel('Email', { exact: true }).fill('ada@');
      await stage.page.getByLabel('Password', { exact: true }).fill('1234');
      await submit(stage, 'Create Account');
      await stage.page.getByText('Name is required').waitFor();
    },
  },
  {
    name: 'login-refused',
    async show(stage) {
      await stage.go('/auth');
      await stage.page.getByLabel('Email', { exact: true }).fill('ada@example.org');
      await stage.page.getByLabel('Password', { exact: true }).fill('not mine');
      await submit(stage, 'Sign In');
      await stage.page.getByRole('alert').filter({ hasText: 'Invalid email' }).waitFor();
    },
  },
  {
    name: 'login-suspended',
    async show(stage) {
      await stage.go('/auth');
      const message = `This account is suspended. Write to ${CONTACT.email} if you have questions.`;
      await stage.break('/auth/login', {
        status: 403,
        body: { message, code: 'ACCOUNT_SUSPENDED' },
      });
      await stage.page.getByLabel('Email', { exact: true }).fill('ada@example.org');
      await stage.page.getByLabel('Password', { exact: true }).fill('correct horse');
      await submit(stage, 'Sign In');
      await stage.page.getByRole('alert').filter({ hasText: 'suspended' }).waitFor();
    },
  },
  {
    name: 'login-busy',
    async show(stage) {
      await stage.go('/auth');
      await stage.hold('/auth/login');
      await stage.page.getByLabel('Email', { exact: true }).fill('ada@example.org');
      await stage.page.getByLabel('Password', { exact: true }).fill('correct horse');
      await submit(stage, 'Sign In');
      await stage.page.getByRole('button', { name: 'Signing in…' }).waitFor();
    },
  },
  {
    name: 'verify-prompt',
    async show(stage) {
      await stage.go('/auth');
      const message = 'Please confirm your email address first.';
      const body = { message, code: 'EMAIL_NOT_VERIFIED', email: 'ada@example.org' };
      await stage.break('/auth/login', { status: 403, body });
      await stage.page.getByLabel('Email', { exact: true }).fill('ada@example.org');
      await stage.page.getByLabel('Password', { exact: true }).fill('correct horse');
      await submit(stage, 'Sign In');
      await stage.page.getByRole('dialog', { name: 'Verify your email' }).waitFor();
    },
  },
  {
    name: 'invitation',
    async show(stage) {
      await stage.break('/auth/invitation', { status: 200, body: INVITATION });
      await stage.go('/auth?register=true&invitation=x');
      await stage.page.getByRole('button', { name: 'Create Account' }).waitFor();
    },
  },
  {
    name: 'invitation-opened',
    async show(stage) {
      const capsule = {
        id: 'y',
        createdBy: 'Anna Becker',
        createdAt: '2019-06-14T10:00:00Z',
        unlockAt: '2026-11-20T00:00:00Z',
        dateToUnlock: '2026-11-20',
      };
      await stage.break('/auth/invitation', { status: 200, body: { ...INVITATION, capsule } });
      await stage.go('/auth?register=true&invitation=x&capsule=y');
      await stage.page.getByText(/^Anna Becker sealed a time capsule/).waitFor();
    },
  },
  {
    name: 'invitation-refusing',
    async show(stage) {
      await stage.break('/auth/invitation', { status: 200, body: INVITATION });
      await stage.go('/auth/refuse-invitation?token=x');
      await stage.page.getByRole('button', { name: 'Refuse', exact: true }).waitFor();
    },
  },
  {
    name: 'invitation-invalid',
    async show(stage) {
      await stage.go('/auth?register=true&invitation=used');
      await stage.page.getByRole('alert').filter({ hasText: 'work any more' }).waitFor();
    },
  },
  { name: 'forgot-password', show: ({ go }) => go('/auth/forgot-password') },
  {
    name: 'forgot-password-error',
    async show(stage) {
      await stage.go('/auth/forgot-password');
      await submit(stage, 'Send Reset Link');
      await stage.page.getByText('Please enter your email address').waitFor();
    },
  },
  {
    name: 'forgot-password-failed',
    async show(stage) {
      await stage.go('/auth/forgot-password');
      await stage.break('/auth/forgot-password', 'cut');
      await stage.page.getByLabel('Email', { exact: true }).fill('ada@example.org');
      await submit(stage, 'Send Reset Link');
      await stage.page.getByText('Failed to send reset link').waitFor();
    },
  },
  {
    name: 'forgot-password-sent',
    async show(stage) {
      await stage.go('/auth/forgot-password');
      await stage.page.getByLabel('Email', { exact: true }).fill('nobody@example.org');
      await submit(stage, 'Send Reset Link');
      await stage.page.getByRole('heading', { name: 'Check Your Email' }).waitFor();
    },
  },
  {
    name: 'reset-password-validating',
    async show({ page, hold }) {
      await hold('/auth/validate-token');
      await page.goto('/auth/reset-password?token=x');
      await page.getByText('Validating reset link...').waitFor();
    },
  },
  { name: 'reset-password-invalid', show: ({ go }) => go('/auth/reset-password?token=expired') },
  {
    name: 'reset-password-form',
    async show(stage) {
      await stage.break('/auth/validate-token', { status: 200, body: { valid: true } });
      await stage.go('/auth/reset-password?token=x');
      await stage.page.getByLabel('New Password', { exact: true }).fill('12345');
      await submit(stage, 'Update Password');
      await stage.page.getByText('Passwords do not match').waitFor();
    },
  },
  {
    name: 'reset-password-done',
    async show(stage) {
      await stage.break('/auth/validate-token', { status: 200, body: { valid: true } });
      await stage.go('/auth/reset-password?token=x');
      await stage.page.getByLabel('New Password', { exact: true }).fill('plum stone');
      await stage.page.getByLabel('Confirm New Password', { exact: true }).fill('plum stone');
      const body = { message: 'Password updated' };
      await stage.break('/auth/reset-password', { status: 200, body });
      // The page goes on to the sign-in by itself, but not while its time stands still.
      await stage.page.clock.pauseAt(new Date('2030-05-04T11:00:00.000Z'));
      await submit(stage, 'Update Password');
      await stage.page.getByRole('heading', { name: 'Password Reset Successful' }).waitFor();
    },
  },
  { name: 'verify-email', show: ({ go }) => go('/auth/verify-email?token=x') },
  {
    name: 'verify-email-failed',
    async show(stage) {
      await stage.go('/auth/verify-email?token=expired');
      await submit(stage, 'Confirm this address');
    },
  },
  {
    name: 'verify-email-done',
    async show(stage) {
      const body = { message: 'Email confirmed' };
      await stage.break('/auth/verify-email', { status: 200, body });
      await stage.go('/auth/verify-email?token=x');
      await submit(stage, 'Confirm this address');
    },
  },
  {
    name: 'turn-off',
    show: ({ go }) => go('/notices/off?token=capsule-waiting.x.y'),
  },
  { name: 'help', show: ({ go }) => go('/help') },
  { name: 'privacy', show: ({ go }) => go('/privacy') },
  { name: 'terms', show: ({ go }) => go('/terms') },
  { name: 'not-found', show: ({ go }) => go('/no/such/page') },
  {
    name: 'page-not-loaded',
    async show({ page, go }) {
      await page.route(/\/static\/js\/text-pages/, (route) => route.abort());
      await go('/help');
      await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    },
  },
];
