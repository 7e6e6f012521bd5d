import type { Addresses } from '../../../shared/api/addresses.ts';
import type { Scene, Stage } from './scene.ts';

const EMAIL = 'ada@example.org';
const SECOND = 'ada.lovelace@example.com';
const ASKED_AT = '2030-05-03T18:20:00.000Z';
const COUNTS_FROM = '2030-05-11T10:00:00.000Z';

const ONE: Addresses = {
  email: EMAIL,
  isConfirmed: true,
  bouncedAt: null,
  secondEmail: null,
  pending: [],
  passwordWaitsUntil: null,
};
const TWO: Addresses = { ...ONE, secondEmail: SECOND };

const press = ({ page }: Stage, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click();

/** Ada's addresses, and what is pressed there. */
function addresses(name: string, body: Addresses, then?: (stage: Stage) => Promise<void>): Scene {
  return {
    name: `addresses${name}`,
    as: 'ada',
    async show(stage) {
      await stage.break('/user/addresses', { status: 200, body });
      await stage.go('/profile/addresses');
      await stage.page.getByText(body.email).waitFor();
      await then?.(stage);
    },
  };
}

/** A page to which a link in an email leads, and what comes of a press. */
function link(path: string, pressed?: { button: string; name: string; body: object }): Scene {
  const name = path.slice(1).replaceAll('/', '-');
  return {
    name: pressed ? `${name}-${pressed.name}` : name,
    async show(stage) {
      await stage.break('/auth/address-link', { status: 200, body: { message: SAID[path] } });
      await stage.go(`${path}?token=x`);
      if (!pressed) return;
      await stage.break(path, { status: 200, body: { message: 'Done', ...pressed.body } });
      await press(stage, pressed.button);
      await stage.page.getByRole('main').getByRole('status').waitFor();
    },
  };
}

const CONFIRM = 'Confirm this address';
/** What the server says of a link. */
const SAID: Record<string, string> = {
  '/auth/confirm-email': `You asked us to make ${SECOND} the second address of your account.`,
  '/auth/undo-email': `The main address was changed in your account (${EMAIL}).`,
};

function dashboard(name: string, facts: object): Scene {
  return {
    name: `dashboard-${name}`,
    as: 'ada',
    async show(stage) {
      const body = { ...stage.world.user('ada'), ...facts };
      await stage.break('/user/me', { status: 200, body });
      await stage.go('/dashboard');
      await stage.page.getByRole('link', { name: 'See your addresses' }).waitFor();
    },
  };
}

/** Addresses that change, and what emails about them lead to. */
export const addressScenes: readonly Scene[] = [
  addresses('', ONE),
  addresses('-two', TWO),
  addresses('-unconfirmed', { ...TWO, isConfirmed: false }),
  addresses('-confirm', { ...ONE, isConfirmed: false }, (stage) => press(stage, 'Confirm it')),
  addresses('-bounced', { ...TWO, bouncedAt: '2030-04-28T07:00:00.000Z' }),
  addresses('-pending', {
    ...TWO,
    pending: [
      { which: 'main', email: 'ada@new-post.example', askedAt: ASKED_AT },
      { which: 'second', email: `${'long-and-windy.'.repeat(5)}@example.net`, askedAt: ASKED_AT },
    ],
  }),
  addresses('-operator', {
    ...TWO,
    pending: [
      {
        which: 'main',
        email: 'ada@new-post.example',
        askedAt: ASKED_AT,
        takesEffectAt: COUNTS_FROM,
      },
    ],
  }),
  addresses('-password-waits', { ...TWO, passwordWaitsUntil: COUNTS_FROM }),
  addresses('-change', ONE, async (stage) => {
    await press(stage, 'Change main address');
    await stage.page.getByLabel('New address').fill('ada@');
    await stage.page.getByRole('button', { name: 'Send the link' }).click();
    await stage.page.getByText('Password is required').waitFor();
  }),
  addresses('-add', ONE, (stage) => press(stage, 'Add a second address')),
  addresses('-remove', TWO, (stage) => press(stage, 'Remove it')),
  addresses('-stop-password', { ...TWO, passwordWaitsUntil: COUNTS_FROM }, (stage) =>
    press(stage, 'Stop it'),
  ),
  addresses('-offline', TWO, async (stage) => {
    await stage.setOffline(true);
    await press(stage, 'Remove it');
    await stage.page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('mine');
    await stage.page.getByRole('dialog').getByRole('button', { name: 'Remove it' }).click();
    await stage.page.getByText('You need a connection').waitFor();
  }),
  {
    name: 'addresses-failed',
    as: 'ada',
    async show(stage) {
      await stage.break('/user/addresses', 'cut');
      await stage.go('/profile/addresses');
      await stage.page.getByRole('button', { name: 'Try again' }).waitFor();
    },
  },
  dashboard('email-bounces', { emailBounces: true }),
  dashboard('password-waits', { emailBounces: true, passwordWaitsUntil: COUNTS_FROM }),
  link('/auth/confirm-email'),
  link('/auth/confirm-email', {
    button: CONFIRM,
    name: 'main',
    body: {
      message: `${SECOND} is your main address now. Sign in with it from now on. For 7 days the email to your old address can undo this.`,
      which: 'main',
      email: SECOND,
    },
  }),
  link('/auth/confirm-email', {
    button: CONFIRM,
    name: 'unchanged',
    body: {
      message: `${SECOND} is still your main address, and now we know our emails reach you there.`,
      which: 'main',
      email: SECOND,
      canUndo: false,
    },
  }),
  link('/auth/confirm-email', {
    button: CONFIRM,
    name: 'operator',
    body: {
      message: `${SECOND} is confirmed. It becomes your main address within 7 days, unless someone stops that at one of your earlier addresses.`,
      which: 'main',
      email: SECOND,
      canUndo: false,
      takesEffectAt: COUNTS_FROM,
    },
  }),
  link('/auth/confirm-email', {
    button: CONFIRM,
    name: 'second',
    body: {
      message: `${SECOND} is your second address now. We use it when your main one fails.`,
      which: 'second',
      email: SECOND,
    },
  }),
  {
    name: 'auth-confirm-email-invalid',
    async show(stage) {
      await stage.go('/auth/confirm-email?token=x');
      await stage.page.getByRole('heading', { name: "This link doesn't work any more" }).waitFor();
    },
  },
  {
    name: 'auth-confirm-email-failed',
    async show(stage) {
      await stage.break('/auth/address-link', 'cut');
      await stage.go('/auth/confirm-email?token=x');
      await stage.break('/auth/confirm-email', 'cut');
      await press(stage, CONFIRM);
      await stage.page.getByText('You need a connection for this.').waitFor();
    },
  },
  link('/auth/undo-email'),
  link('/auth/undo-email', {
    button: 'Undo the change',
    name: 'done',
    body: {
      message:
        "You have your earlier addresses back. Every device is signed out and counts as new, and your password and recovery codes don't work any more. We've emailed a link for a new password to ada@example.org.",
    },
  }),
  { name: 'auth-undo-email-invalid', show: ({ go }) => go('/auth/undo-email') },
  link('/auth/new-password'),
  link('/auth/new-password', { button: 'Yes, it was me', name: 'yes', body: {} }),
  link('/auth/new-password', { button: 'No, stop it', name: 'no', body: {} }),
  { name: 'auth-new-password-invalid', show: ({ go }) => go('/auth/new-password') },
  link('/auth/still-yours'),
  link('/auth/still-yours', {
    button: 'Yes, this is my address',
    name: 'done',
    body: { email: EMAIL },
  }),
  link('/auth/restore-capsule'),
  link('/auth/restore-capsule', {
    button: 'Bring it back',
    name: 'done',
    body: { message: 'Your capsule is back, just as it was.' },
  }),
  link('/notices/off', {
    button: 'Turn them off',
    name: 'done',
    body: { kind: 'capsule-opened' },
  }),
  {
    name: 'reset-password-waiting',
    async show(stage) {
      await stage.break('/auth/validate-token', { status: 200, body: { valid: true } });
      await stage.go('/auth/reset-password?token=x');
      await stage.page.getByLabel('New Password', { exact: true }).fill('plum stone');
      await stage.page.getByLabel('Confirm New Password', { exact: true }).fill('plum stone');
      const body = { message: 'Almost done', countsFrom: COUNTS_FROM };
      await stage.break('/auth/reset-password', { status: 200, body });
      await press(stage, 'Update Password');
      await stage.page.getByRole('heading', { name: 'One more step' }).waitFor();
    },
  },
];
