import type { Attachment, DraftRow } from '../../../client/db/tables.ts';
import { NOW, uuidOf } from './sample-world.ts';
import { type Scene, type Stage, scrollTo } from './scene.ts';

const LETTER = `Dear Grace,

the plum tree is taller than the house now, and I still have not mended the ladder. I am writing this at the desk, with the window open, because the kitchen smells of varnish.

We lost the roof on a Tuesday. By Thursday the whole street was up there with us.`;

const FIELDS: DraftRow['fields'] = {
  title: 'The summer the roof came off',
  description: 'What the storm took, what we kept, and who held the ladder.',
  recipients: [],
  dateToUnlock: '2040-05-04',
  notifyRecipient: false,
  personalMessage: LETTER,
};

const ID = uuidOf('A draft of the account');
const FILES: Attachment[] = [
  file('The lake in winter.jpg', 'image/jpeg', { complete: true }),
  file('The plum tree.jpg', 'image/jpeg', { isElsewhere: true, hasArrived: true }),
  file('Up on the roof.mp4', 'video/mp4', { isElsewhere: true }),
];

function file(name: string, type: string, state: Partial<Attachment>): Attachment {
  const place = {
    id: uuidOf(name),
    name,
    type,
    bytes: 2_400_000,
  };
  const rest = { lastModified: 0, thumbnail: null, complete: false, announced: true };
  return { ...place, ...rest, ...state };
}

/** A draft that the account has as it stands here. */
function saved(changed: Partial<DraftRow> = {}, files: readonly Attachment[] = []): DraftRow {
  const draft = {
    ...{ id: ID, fields: FIELDS, updatedAt: NOW.getTime() - 120_000 },
    ...{ files: files.map(({ id }) => id), ...changed },
  };
  const content = {
    fields: draft.fields,
    files: files.map(({ id, name, type, bytes }) => ({ id, name, type, bytes })),
  };
  return { account: { revision: 7, content }, ...draft };
}

function written({ account, ...draft }: DraftRow): DraftRow {
  if (account) account.writtenOn = 'Chrome on Android';
  const updatedAt = Date.parse('2030-05-02T20:11:00.000Z');
  return { ...draft, updatedAt, ...(account && { account }) };
}

/** As another device has left them; the account itself says nothing more. */
async function putDrafts(stage: Stage, drafts: readonly DraftRow[], files: Attachment[] = []) {
  await stage.go('/dashboard');
  await put(stage, 'attachments', files);
  await put(stage, 'drafts', drafts);
}

function put({ page }: Stage, table: string, rows: readonly unknown[]): Promise<void> {
  return page.evaluate(`putRows('${table}', ${JSON.stringify(rows)})`);
}

async function openDraft(stage: Stage): Promise<void> {
  await stage.go(`/create?draft=${ID}`);
  await stage.page.getByLabel('Capsule Title').waitFor();
}

/** Unfolds where the draft is. */
async function toSummary({ page }: Stage): Promise<void> {
  const stamp = page.getByText(/^Saved (to|on) /);
  await stamp.click();
  await scrollTo(stamp, 'center');
}

/** Drafts that follow the person to all of their devices. */
export const draftScenes: readonly Scene[] = [
  {
    name: 'draft-in-account',
    as: 'ada',
    async show(stage) {
      await putDrafts(stage, [saved()]);
      await openDraft(stage);
      await stage.page.getByText(/^Saved to your account/).waitFor();
      await toSummary(stage);
    },
  },
  {
    name: 'draft-files-elsewhere',
    as: 'ada',
    async show(stage) {
      const { page } = stage;
      await page.addInitScript(`Object.defineProperty(navigator, 'connection', {
        value: Object.assign(new EventTarget(), { saveData: true }),
      })`);
      await putDrafts(stage, [saved({}, FILES)], FILES);
      await openDraft(stage);
      await page.getByRole('tab', { name: 'Content' }).click();
      await stage.break(`/api/drafts/${ID}/files/${FILES[1]?.id}`, 'cut');
      await page.getByRole('button', { name: 'Show The plum tree.jpg' }).click();
      await page.getByText("We couldn't show it here.").waitFor();
      await scrollTo(page.getByRole('tab', { name: 'Content' }));
    },
  },
  {
    name: 'draft-refused',
    as: 'ada',
    async show(stage) {
      const body = { message: 'Your storage is full.', code: 'STORAGE_LIMIT_REACHED' };
      await stage.break(`/api/drafts/${ID}`, { status: 413, body });
      const { account } = saved({ fields: { ...FIELDS, title: 'The storm' } });
      const refusal = body.message;
      await putDrafts(stage, [saved({ account: account && { ...account, refusal } })]);
      await openDraft(stage);
      await stage.page.getByText("It's not in your account.").waitFor();
      await toSummary(stage);
    },
  },
  {
    name: 'draft-only-here',
    as: 'ada',
    async show(stage) {
      const { account: _, ...draft } = saved({ onlyHere: true });
      await putDrafts(stage, [draft]);
      await openDraft(stage);
      await toSummary(stage);
    },
  },
  {
    name: 'drafts-of-the-account',
    as: 'ada',
    async show(stage) {
      const fields = { ...FIELDS, title: 'For Mia, at eighteen' };
      const { account: _, ...here } = saved({ id: uuidOf('Only here'), onlyHere: true, fields });
      await putDrafts(stage, [
        written(saved()),
        here,
        saved({ id: uuidOf('Written here'), fields: { ...FIELDS, title: 'Dear me, at fifty' } }),
      ]);
      await stage.go('/dashboard');
      await stage.page.getByText('Written on Chrome on Android').waitFor();
      await scrollTo(stage.page.getByRole('heading', { name: '3 unfinished drafts' }));
    },
  },
  {
    name: 'draft-choice',
    as: 'ada',
    async show(stage) {
      await stage.go('/profile/safety');
      await scrollTo(stage.page.getByRole('switch', { name: /New drafts/ }), 'center');
    },
  },
];
