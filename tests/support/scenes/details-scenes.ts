import type { Capsule, CapsulePage } from '../../../shared/api/capsules.ts';
import type { ResponseOf } from '../../../shared/api/endpoint.ts';
import type { listNotices, Notice } from '../../../shared/api/notices.ts';
import { chooseFor } from '../screens.ts';
import { uuidOf } from './sample-world.ts';
import { type Scene, type Stage, scrollTo } from './scene.ts';

const OPENED = 'Open this when the first snow falls';
const LOCKED = 'Letters from the lake';
const DELETE_QUESTION = 'Are you sure you want to delete this capsule?';

const notice = (recipientName: string, state: Notice['state'], at: string | null) => ({
  recipientName,
  recipientEmail: `${recipientName}@example.com`,
  state,
  at,
});
/** Two recipients without an account, and one with. */
const INVITED: ResponseOf<typeof listNotices> = {
  notices: [
    {
      ...notice('Grace Hopper', 'delivered', '2029-05-20T09:01:00.000Z'),
      id: 'grace',
      kind: 'capsule-waiting',
      sentAt: '2029-05-20T09:00:00.000Z',
      againAt: '2029-05-20T09:00:00.000Z',
    },
  ],
  invitations: [
    notice('aunt.rosemary', 'sent', '2029-05-20T09:00:00.000Z'),
    notice('uncle.bartholomew.of.the.lake', 'bounced', '2029-05-20T09:02:00.000Z'),
  ],
};

const idOf = ({ world }: Stage, title: string) => world.capsules[title] ?? '';

async function open(stage: Stage, title: string): Promise<void> {
  await stage.go(`/dashboard?capsule=${idOf(stage, title)}`);
  await stage.page.getByRole('dialog', { name: title }).waitFor();
}

async function openLetter(stage: Stage): Promise<void> {
  await open(stage, OPENED);
  await stage.page.getByRole('dialog').getByText('the first snow has fallen').waitFor();
}

/** The opened capsule as if some of it came from others, in the list behind it as well. */
async function showMany(stage: Stage): Promise<void> {
  const id = idOf(stage, OPENED);
  const part = (name: string, personalMessage: string, ...fileIds: string[]) => {
    return { id: uuidOf(name), name, personalMessage, fileIds };
  };
  const byMany = (capsule: Capsule): Capsule => {
    if (capsule.id !== id) return capsule;
    const [, tree = '', film = '', pdf = ''] = capsule.fileInfo.map(({ fileId }) => fileId);
    const contributions = [
      part('Aunt Rosemary', '', tree),
      part('Grandpa Karl', 'My blessing, for all your days.\n\nKarl', pdf),
      part('Per', '', film),
      part('Uncle Bartholomew of the lake', 'The river is a little wider each time I tell it.'),
    ];
    return { ...capsule, contributions };
  };
  await stage.page.route(new RegExp(`/api/capsules/(${id}$|received)`), async (route) => {
    const response = await route.fetch();
    const answer: Capsule | CapsulePage = await response.json();
    const json =
      'capsules' in answer ? { ...answer, capsules: answer.capsules.map(byMany) } : byMany(answer);
    await route.fulfill({ response, json });
  });
  await openLetter(stage);
}

async function askToDelete({ page }: Stage): Promise<void> {
  await chooseFor(page, LOCKED, 'Delete');
  await page.getByRole('alertdialog').filter({ hasText: DELETE_QUESTION }).waitFor();
}

const AT = '2030-05-02T08:00:00.000Z';
const AFTER_NOW = '2030-05-05T08:00:00.000Z';

function email(id: string, state: Notice['state'], recipientName: string, facts = {}): Notice {
  const at = state === 'queued' ? null : AT;
  const kind = 'capsule-waiting';
  return { ...notice(recipientName, state, at), id, kind, sentAt: at, againAt: null, ...facts };
}

const NOTICES: readonly Notice[] = [
  email('1', 'queued', 'Grace Hopper'),
  email('2', 'sent', 'Olive Once', { againAt: AT }),
  email('3', 'delivered', 'Nora New', { againAt: AT }),
  email('4', 'bounced', 'Mia Donaudampfschifffahrtsgesellschaft', { againAt: AT }),
  email('5', 'complained', 'Tom Arrow'),
  email('6', 'failed', 'Anna Becker', { againAt: AT }),
  email('7', 'failed', 'Rose', { at: null, againAt: AT }),
  email('8', 'unknown', 'Max', { againAt: AT }),
  // Sent again today, and refused again.
  email('9', 'bounced', 'Ida', { againAt: AFTER_NOW }),
];

/** What became of the emails about a capsule, in every state. */
async function showNotices(stage: Stage): Promise<void> {
  const path = `/api/capsules/${idOf(stage, LOCKED)}/notices`;
  await stage.break(path, { status: 200, body: { notices: NOTICES } });
  await open(stage, LOCKED);
  const first = stage.page.getByText('An email to Grace Hopper is on its way');
  await first.waitFor();
  await scrollTo(stage.page.getByText('Notifications', { exact: true }));
}

const ADA = 'ada-lovelace@example.org';

/** Of a capsule that has opened: the emails about its opening, and those from when it was sealed. */
const BOTH_KINDS: readonly Notice[] = [
  email('1', 'delivered', 'Grace Hopper', { kind: 'capsule-opened', againAt: AT }),
  email('2', 'sent', 'Ada Lovelace', { kind: 'capsule-opened', recipientEmail: ADA }),
  email('3', 'bounced', 'Ida', { kind: 'capsule-opened', againAt: AFTER_NOW }),
  email('4', 'delivered', 'Grace Hopper'),
  email('5', 'sent', 'Ada Lovelace', { recipientEmail: ADA }),
  email('6', 'bounced', 'Ida'),
];

/** One capsule: waiting, locked, open, going. */
export const detailsScenes: readonly Scene[] = [
  {
    name: 'details-waiting',
    as: 'ada',
    async show(stage) {
      const path = `/api/capsules/${idOf(stage, 'Class of 2030')}`;
      await stage.hold(path);
      for (const list of ['created', 'received']) await stage.hold(`/api/capsules/${list}`);
      await stage.page.goto(`/dashboard?capsule=${idOf(stage, 'Class of 2030')}`);
      await stage.page.getByRole('dialog').getByText('Loading...').waitFor();
    },
  },
  { name: 'details-locked', as: 'ada', show: (stage) => open(stage, LOCKED) },
  { name: 'details-notices', as: 'ada', show: showNotices },
  {
    name: 'details-notices-again',
    as: 'ada',
    async show(stage) {
      const again = (id: string) => `/api/capsules/${idOf(stage, LOCKED)}/notices/${id}/again`;
      await stage.break(again('4'), { status: 200, body: { notices: NOTICES } });
      await stage.break(again('6'), 'cut');
      await stage.break(again('8'), {
        status: 409,
        body: {
          code: 'NOTICE_NOT_REPEATABLE',
          message: "We've sent it to Max three more times. We won't send it again.",
        },
      });
      await showNotices(stage);
      for (const name of [/^Send again to Mia/, 'Send again to Anna Becker', 'Send again to Max']) {
        await stage.page.getByRole('button', { name }).click();
      }
      await stage.page.getByText("We won't send it again.").waitFor();
      await scrollTo(stage.page.getByText('Nora New on').first());
    },
  },
  {
    name: 'details-notices-both',
    as: 'ada',
    async show(stage) {
      const title = 'Dear me, at forty';
      const path = `/api/capsules/${idOf(stage, title)}/notices`;
      await stage.break(path, { status: 200, body: { notices: BOTH_KINDS } });
      await open(stage, title);
      await scrollTo(stage.page.getByText('Notifications when it opened'));
    },
  },
  {
    name: 'details-locked-long',
    as: 'max',
    async show(stage) {
      const [title = ''] = Object.keys(stage.world.capsules).filter((text) => text.length > 150);
      await open(stage, title);
    },
  },
  {
    name: 'details-invited',
    as: 'ada',
    async show(stage) {
      const path = `/api/capsules/${idOf(stage, LOCKED)}/notices`;
      await stage.break(path, { status: 200, body: INVITED });
      await open(stage, LOCKED);
      await scrollTo(stage.page.getByText('Invitations', { exact: true }), 'center');
    },
  },
  {
    name: 'details-not-there',
    as: 'ada',
    async show({ page, go }) {
      await go('/dashboard?capsule=00000000-0000-4000-8000-000000000000');
      await page.getByRole('dialog', { name: 'Capsule not available' }).waitFor();
    },
  },
  {
    name: 'details-stage',
    as: 'ada',
    async show(stage) {
      const id = idOf(stage, OPENED);
      const capsule = {
        ...(await (await stage.page.request.get(`/api/capsules/${id}`)).json()),
        ready: true,
      };
      await stage.break(`/api/capsules/${id}`, { status: 200, body: capsule });
      await stage.go(`/dashboard?capsule=${id}`);
      await stage.page.getByRole('button', { name: 'Press to open' }).waitFor();
    },
  },
  { name: 'details-open', as: 'ada', show: openLetter },
  {
    name: 'details-open-files',
    as: 'ada',
    async show(stage) {
      await openLetter(stage);
      await scrollTo(stage.page.getByText('All files (4)'));
      await stage.page.getByText("Let Grace know that you've read it?").waitFor();
    },
  },
  {
    name: 'details-open-long',
    as: 'max',
    async show(stage) {
      const [title = ''] = Object.keys(stage.world.capsules).filter((text) =>
        text.startsWith('Opened'),
      );
      await open(stage, title);
    },
  },
  { name: 'details-by-many', as: 'ada', show: (stage) => showMany(stage) },
  {
    name: 'details-by-many-turn',
    as: 'ada',
    async show(stage) {
      await showMany(stage);
      await scrollTo(stage.page.getByText('4 others have added to it'));
    },
  },
  {
    name: 'details-open-words-only',
    as: 'ada',
    async show(stage) {
      await open(stage, 'Dear me, at forty');
      await stage.page.getByRole('dialog').getByText('Did you learn to sail?').waitFor();
    },
  },
  {
    name: 'details-image',
    as: 'ada',
    async show(stage) {
      await openLetter(stage);
      await stage.page.getByRole('button', { name: 'Enlarge The lake in winter.jpg' }).click();
      await stage.page.getByRole('dialog', { name: 'The lake in winter.jpg' }).waitFor();
    },
  },
  {
    name: 'details-download-failed',
    as: 'ada',
    async show(stage) {
      await openLetter(stage);
      await stage.page.route('**/api/capsules/download/*', (route) => route.abort());
      await stage.page.getByRole('button', { name: 'Download The letter.pdf' }).click();
      const failure = stage.page.getByRole('dialog').getByText('Failed to download file.');
      await scrollTo(failure, 'center');
    },
  },
  {
    name: 'delete-confirm',
    as: 'ada',
    async show(stage) {
      await stage.go('/dashboard');
      await askToDelete(stage);
    },
  },
  {
    name: 'delete-failed',
    as: 'ada',
    async show(stage) {
      await stage.go('/dashboard');
      await stage.break(`/api/capsules/${idOf(stage, LOCKED)}`, 'cut');
      await askToDelete(stage);
      await stage.page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
      await stage.page.getByText('Failed to delete capsule. Please try again.').waitFor();
    },
  },
];
