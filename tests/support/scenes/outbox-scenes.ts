import type { OutboxRow } from '../../../client/db/tables.ts';
import { MEGABYTE } from '../../../shared/limits.ts';
import { NOW, uuidOf } from './sample-world.ts';
import type { Scene, Stage } from './scene.ts';

const HOUR_MS = 3_600_000;

/** A capsule that Ada has sealed on this device. */
function waiting({ world }: Stage, title: string, change: Partial<OutboxRow>): OutboxRow {
  const { id, name, email, avatar } = world.user('grace');
  return {
    id: uuidOf(title),
    fields: {
      title,
      description: 'Written on the train, where there is never a signal.',
      recipients: [{ id, name, email, avatar, isYou: false }],
      dateToUnlock: '2035-06-01',
      notifyRecipient: true,
      personalMessage: '',
    },
    timeZone: 'UTC',
    state: 'retry-at',
    queuedAt: NOW.getTime() - 2 * HOUR_MS,
    attempts: 0,
    nextTryAt: NOW.getTime() + HOUR_MS,
    mayHaveArrived: false,
    failure: null,
    files: [],
    totalBytes: 0,
    sentBytes: 0,
    ...change,
  };
}

const failure = (message: string, errors: Record<string, string> = {}) => ({
  code: 'VALIDATION_FAILED',
  message,
  errors,
});

const NO_ROOM = { code: 'STORAGE_LIMIT_REACHED', message: 'Your storage is full.' };

/** One capsule in each state that it can wait in. */
function everyState(stage: Stage): OutboxRow[] {
  const files = { files: ['one', 'two'], totalBytes: 24.5 * MEGABYTE };
  return [
    waiting(stage, 'From the night train', { attempts: 2, ...files, sentBytes: 8 * MEGABYTE }),
    waiting(stage, 'Sent, and the answer was lost', { attempts: 1, mayHaveArrived: true }),
    waiting(stage, 'A letter that was refused', {
      state: 'needs-fix',
      failure: failure('Please check the fields below', {
        recipientEmails: "grace-hopper@example.org isn't registered",
      }),
    }),
    waiting(stage, 'Too much for the attic', {
      state: 'storage-full',
      failure: failure('Your storage is full'),
      // Asked about without its files, which are not here.
      mayHaveArrived: true,
      ...files,
    }),
    waiting(stage, 'Its day has come already', {
      fields: {
        ...waiting(stage, '', {}).fields,
        title: 'Its day has come already',
        dateToUnlock: '2030-05-04',
      },
    }),
  ];
}

async function openWith(stage: Stage, path: string, rows: OutboxRow[]): Promise<void> {
  await stage.go('/dashboard');
  await stage.queue(rows);
  await stage.go(path);
  const title = rows.at(-1)?.fields.title ?? '';
  const card = stage.page.getByRole('article', { name: title });
  await card
    .or(stage.page.getByRole('link', { name: 'Open outbox' }))
    .first()
    .waitFor();
}

/** What has not left this device yet. */
export const outboxScenes: readonly Scene[] = [
  {
    name: 'outbox',
    as: 'ada',
    async show(stage) {
      // What found no room is tried again at every start.
      await stage.break('/api/capsules', { status: 413, body: NO_ROOM });
      await openWith(stage, '/outbox', everyState(stage));
      await stage.page.getByText('Your storage is full.').waitFor();
    },
  },
  {
    name: 'outbox-sending',
    as: 'ada',
    async show(stage) {
      await stage.hold('/api/capsules');
      const due = { state: 'queued', nextTryAt: 0 } as const;
      await openWith(stage, '/outbox', [
        waiting(stage, 'From the night train', due),
        waiting(stage, 'Next in line', { ...due, queuedAt: NOW.getTime() }),
      ]);
      await stage.page.getByRole('progressbar', { name: 'Uploading' }).waitFor();
    },
  },
  {
    name: 'outbox-explains',
    as: 'ada',
    async show(stage) {
      const lost = waiting(stage, 'Sent, and the answer was lost', { mayHaveArrived: true });
      await openWith(stage, '/outbox', [lost]);
      await stage.page.getByRole('button', { name: /^Discard/ }).click();
      await stage.page.getByText('Tap Try now to check.').waitFor();
    },
  },
  {
    name: 'outbox-discard',
    as: 'ada',
    async show(stage) {
      await openWith(stage, '/outbox', [waiting(stage, 'From the night train', {})]);
      await stage.page.getByRole('button', { name: /^Discard/ }).click();
      await stage.page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'outbox-offline',
    as: 'ada',
    async show(stage) {
      await openWith(stage, '/outbox', [waiting(stage, 'From the night train', {})]);
      await stage.setOffline(true);
      await stage.page.getByText('Waiting for a connection').waitFor();
    },
  },
  {
    name: 'outbox-sign-in',
    as: 'ada',
    async show(stage) {
      await stage.go('/dashboard');
      await stage.queue([waiting(stage, 'From the night train', { state: 'needs-sign-in' })]);
      // As it stands between a session's end and the next sign-in: a page that starts tries again.
      await stage.page.evaluate(
        "history.pushState(null, '', '/outbox'); dispatchEvent(new PopStateEvent('popstate'))",
      );
      await stage.page.getByText('Sign in', { exact: false }).first().waitFor();
    },
  },
  { name: 'outbox-empty', as: 'nora', show: ({ go }) => go('/outbox') },
  {
    name: 'dashboard-outbox',
    as: 'ada',
    show: (stage) => openWith(stage, '/dashboard', everyState(stage).slice(0, 3)),
  },
  {
    name: 'dashboard-outbox-first',
    as: 'nora',
    async show(stage) {
      await openWith(stage, '/dashboard', [waiting(stage, 'From the night train', {})]);
      await stage.setOffline(true);
      await stage.page.getByRole('link', { name: 'Open outbox' }).waitFor();
    },
  },
];
