import type { Passkey } from '../../../shared/api/passkeys.ts';
import type { ListedSession } from '../../../shared/api/sessions.ts';
import { ERRORS } from '../../../shared/errors.ts';
import type { Scene, Stage } from './scene.ts';

const session = (count: number, change: Partial<ListedSession>): ListedSession => ({
  id: String(count).padStart(32, '0'),
  device: 'Firefox on Windows',
  signedInBy: 'password',
  signedInAt: '2030-04-20T18:20:00.000Z',
  lastUsedOn: '2030-05-01',
  isThis: false,
  ...change,
});

const SESSIONS = [
  session(1, { device: 'Chrome on Linux', isThis: true, lastUsedOn: '2030-05-04' }),
  session(2, { device: 'Samsung Internet on Android', signedInBy: 'passkey' }),
  session(3, {}),
  session(4, { device: '' }),
];

const CODES_LEFT = { left: 5, madeAt: '2030-03-01T09:00:00.000Z' };
const CODES = Array.from({ length: 8 }, (_, index) => `7k2m-x9pq-4t8w-hz3${index}`);

const PASSKEYS: Passkey[] = [
  {
    id: '00000000-0000-4000-8000-000000000001',
    name: 'Safari on iPhone',
    isBackedUp: true,
    addedAt: '2029-11-03T10:00:00.000Z',
    lastUsedOn: '2030-05-02',
  },
  {
    id: '00000000-0000-4000-8000-000000000002',
    name: 'Firefox on Windows',
    isBackedUp: false,
    addedAt: '2030-05-01T10:00:00.000Z',
    lastUsedOn: null,
  },
];

function signingIn(
  name: string,
  sessions: ListedSession[],
  then?: (stage: Stage) => Promise<void>,
): Scene {
  return {
    name: `signing-in${name}`,
    as: 'ada',
    async show(stage) {
      await stage.break('/user/sessions', { status: 200, body: sessions });
      await stage.break('/user/recovery-codes', { status: 200, body: CODES_LEFT });
      await stage.break('/user/passkeys', { status: 200, body: PASSKEYS });
      await stage.break('/user/passkey-choice', { status: 200, body: { asksOnNewDevices: true } });
      await stage.go('/profile/sign-in');
      await then?.(stage);
    },
  };
}

const PROVIDER = {
  email: 'hello@capsule.example',
  links: [],
  registration: 'open',
  provider: 'Family account',
};
const LINKED = { linkedAt: '2030-02-01T09:00:00.000Z', hasPassword: true, confirmedUntil: null };

/** Where people sign in on a site with an identity provider. */
function withProvider(name: string, path: string, change: object = {}): Scene {
  return {
    name,
    async show(stage) {
      await stage.break('/api/contact', { status: 200, body: { ...PROVIDER, ...change } });
      await stage.go(path);
      await stage.page.getByRole('link', { name: 'Continue with Family account' }).waitFor();
    },
  };
}

/** Where people are signed in, and what lets them in. */
export const signInScenes: readonly Scene[] = [
  signingIn('', SESSIONS),
  signingIn('-once', SESSIONS.slice(0, 1)),
  signingIn('-end', SESSIONS, async ({ page }) => {
    await page.getByRole('button', { name: 'Sign out Firefox on Windows' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('dialog').getByText('Password is required').waitFor();
  }),
  signingIn('-choice', SESSIONS.slice(0, 1), async (stage) => {
    const { page } = stage;
    await stage.break('/user/passkey-choice', { status: 200, body: { asksOnNewDevices: false } });
    await stage.go('/profile/sign-in');
    await page.getByRole('switch', { name: 'Ask for a passkey on new devices' }).click();
    await page.getByRole('dialog', { name: 'Ask for a passkey on new devices?' }).waitFor();
  }),
  {
    name: 'sign-in-new-device',
    async show(stage) {
      const [, message] = ERRORS.PASSKEY_REQUIRED;
      const body = { message, code: 'PASSKEY_REQUIRED' };
      await stage.go('/auth');
      await stage.break('/auth/login', { status: 403, body });
      await stage.page.getByLabel('Email', { exact: true }).fill('ada@example.org');
      await stage.page.getByLabel('Password', { exact: true }).fill('anything');
      await stage.page.getByRole('button', { name: 'Sign In', exact: true }).click();
      await stage.page.getByLabel('Recovery code').waitFor();
    },
  },
  signingIn('-codes', SESSIONS.slice(0, 1), async (stage) => {
    const { page } = stage;
    await page.getByRole('button', { name: 'Make new codes' }).click();
    await stage.break('/user/recovery-codes', { status: 201, body: { codes: CODES } });
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('anything');
    await page.getByRole('dialog').getByRole('button', { name: 'Make them' }).click();
    await page.getByText(/^Recovery codes for/).waitFor();
  }),
  withProvider('sign-in-provider', '/auth'),
  withProvider('sign-in-provider-taken', '/auth?provider=EMAIL_TAKEN'),
  withProvider('sign-in-passwords-off', '/auth', { passwordsOff: true }),
  signingIn('-provider', SESSIONS.slice(0, 1), async (stage) => {
    await stage.break('/api/contact', { status: 200, body: PROVIDER });
    await stage.break('/user/identity', { status: 200, body: LINKED });
    await stage.go('/profile/sign-in');
    await stage.page.getByRole('button', { name: 'Unlink Family account' }).click();
    await stage.page.getByRole('dialog').waitFor();
  }),
  {
    name: 'undo-identity',
    show: ({ go }) => go('/auth/undo-identity#token=any'),
  },
  {
    name: 'undo-passkey',
    show: ({ go }) => go('/auth/undo-passkey#token=any'),
  },
  {
    name: 'recovery-code',
    async show({ page, go }) {
      await go('/auth/recovery-code');
      await page.getByRole('button', { name: 'Use this code' }).click();
      await page.getByText('Recovery code is required').waitFor();
    },
  },
  {
    name: 'signing-in-offline',
    as: 'ada',
    async show(stage) {
      await stage.break('/user/sessions', 'cut');
      await stage.break('/user/recovery-codes', 'cut');
      await stage.break('/user/passkeys', 'cut');
      await stage.go('/profile/sign-in');
    },
  },
];
