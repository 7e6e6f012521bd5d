import { lookAtMoments } from '../browser.ts';
import { pdf } from '../fixtures.ts';
import { SAVED } from '../screens.ts';
import { garden, lake } from './pictures.ts';
import { NOW } from './sample-world.ts';
import { type Scene, type Stage, scrollTo } from './scene.ts';

const START = '/create';

async function begin(stage: Stage): Promise<void> {
  await stage.go(START);
  await stage.page.getByLabel('Capsule Title').waitFor();
}

async function chooseRecipients({ page }: Stage, names: string[]): Promise<void> {
  await page.getByRole('button', { name: /Recipient/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Select Recipients' });
  for (const name of names) {
    await dialog.getByRole('searchbox').fill(name);
    await dialog.getByRole('button', { name: 'Search', exact: true }).click();
    await dialog.getByRole('checkbox', { name }).click();
  }
}

async function write(stage: Stage): Promise<void> {
  const { page } = stage;
  await begin(stage);
  await page.getByLabel('Capsule Title').fill('The summer the roof came off');
  await page
    .getByLabel('Description')
    .fill('What the storm took, what we kept, and who held the ladder.');
  await chooseRecipients(stage, ['Grace Hopper', 'Olive Once']);
  await page.getByRole('button', { name: 'Confirm Selection (2)' }).click();
  await page.getByRole('button', { name: /10 years/ }).click();
  await page.getByRole('tab', { name: 'Content' }).click();
  const files = [await lake(), await garden(), pdf()];
  await page
    .locator('input[type=file]')
    .setInputFiles(files.map(({ name, type, bytes }) => ({ name, mimeType: type, buffer: bytes })));
  await page.getByText('3 File(s) Selected').waitFor();
  await page.getByRole('complementary').getByText(SAVED).waitFor();
}

const LETTER = `Dear Grace, dear Olive,

you won't remember the noise, but you will remember the ladder. When this opens the plum tree should be taller than the house, and I would like you to go out and look at it before you read on.

We lost the roof on a Tuesday. By Thursday the whole street was up there with us.`;

/** As the service worker leaves what was shared; scenes run without one. */
const SET_ASIDE = `readRows('drafts').then(([draft]) => putRows('drafts', [{
  ...draft,
  isSetAside: true,
  fields: { ...draft.fields, personalMessage: 'I found these again. Do you remember that summer?' },
}]))`;

const SEALED = {
  id: '00000000-0000-4000-8000-00000000cafe',
  title: 'The summer the roof came off',
  description: 'What the storm took, what we kept, and who held the ladder.',
  createdBy: 'Ada Lovelace',
  senderName: 'Ada Lovelace',
  senderEmail: 'ada-lovelace@example.org',
  recipientEmails: ['grace-hopper@example.org', 'olive-once@example.org'],
  dateToUnlock: '2040-05-04',
  unlockDate: '2040-05-04',
  timeZone: 'UTC',
  unlockAt: '2040-05-04T00:00:00.000Z',
  locked: true,
  createdAt: NOW.toISOString(),
  mediaCount: 3,
  fileInfo: [],
  personalMessage: null,
  type: 'created',
};

/** From the empty form to a capsule on its way. */
export const createScenes: readonly Scene[] = [
  { name: 'create', as: 'nora', show: begin },
  {
    name: 'create-files',
    as: 'nora',
    async show(stage) {
      await begin(stage);
      await stage.page.getByRole('tab', { name: 'Content' }).click();
      await stage.page.getByText('Add photos, videos or PDFs').waitFor();
    },
  },
  {
    name: 'voice-memo',
    as: 'nora',
    async show(stage) {
      await begin(stage);
      await stage.page.getByRole('tab', { name: 'Content' }).click();
      await stage.page.getByRole('button', { name: 'Record a voice memo' }).click();
      await stage.page.getByRole('button', { name: 'Start recording' }).waitFor();
    },
  },
  {
    name: 'create-letter',
    as: 'ada',
    async show(stage) {
      await write(stage);
      await stage.page.getByRole('tab', { name: 'Message' }).click();
      await stage.page.getByLabel('Personal Message').fill(LETTER);
      await scrollTo(stage.page.getByRole('tablist', { name: 'Contents' }));
    },
  },
  {
    name: 'create-filled',
    as: 'ada',
    async show(stage) {
      await write(stage);
      await stage.page.evaluate('scrollTo(0, 0)');
    },
  },
  {
    name: 'create-filled-end',
    as: 'ada',
    async show(stage) {
      await write(stage);
      await scrollTo(stage.page.getByRole('tablist', { name: 'Contents' }));
    },
  },
  {
    name: 'create-shared',
    as: 'ada',
    async show(stage) {
      await write(stage);
      await stage.page.evaluate(SET_ASIDE);
      await stage.page.reload();
      await stage.page.getByRole('heading', { name: 'Add what was shared?' }).waitFor();
      await stage.page.evaluate('scrollTo(0, 0)');
    },
  },
  {
    name: 'create-refused',
    as: 'ada',
    async show(stage) {
      await write(stage);
      const errors = {
        title: 'This title is taken by another attic',
        description: 'Please say a little more',
        recipientEmails: "grace-hopper@example.org isn't registered",
        dateToUnlock: 'Please choose a day after today',
        files: 'The letter.pdf is not an image, a video or a PDF',
      };
      const body = { message: 'Please check the fields below', code: 'VALIDATION_FAILED', errors };
      await stage.break('/api/capsules', { status: 400, body });
      await stage.page.getByRole('button', { name: 'Create Time Capsule' }).click();
      await stage.page.getByText('Error: Please check the fields below').waitFor();
    },
  },
  {
    name: 'create-limits',
    as: 'nora',
    async show(stage) {
      const { page } = stage;
      await begin(stage);
      await page.getByLabel('Capsule Title').fill('W'.repeat(198));
      await page.getByLabel('Description').fill('x '.repeat(1_000));
      await page.getByRole('tab', { name: 'Content' }).click();
      await page.locator('input[type=file]').setInputFiles([
        { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no') },
        { name: `${'long '.repeat(30)}.exe`, mimeType: 'text/plain', buffer: Buffer.from('no') },
      ]);
      await page.getByRole('alert').filter({ hasText: 'notes.txt' }).waitFor();
      await page.evaluate('scrollTo(0, 0)');
    },
  },
  {
    name: 'create-uploading',
    as: 'ada',
    async show(stage) {
      await write(stage);
      await stage.hold('/api/capsules');
      await stage.page.getByRole('button', { name: 'Create Time Capsule' }).click();
      await stage.page.getByRole('progressbar', { name: 'Uploading' }).waitFor();
    },
  },
  {
    name: 'sealed',
    as: 'ada',
    async show(stage) {
      await write(stage);
      await lookAtMoments(stage.page);
      // As the server answers, which is not changed for the other scenes.
      await stage.break('/api/capsules', { status: 201, body: SEALED });
      await stage.page.getByRole('button', { name: 'Create Time Capsule' }).click();
      const message = stage.page.getByText('Time capsule created successfully!');
      await message.waitFor();
      await stage.page.getByRole('heading', { name: 'Sealed until 4 May 2040.' }).waitFor();
      // It goes by itself: how soon a picture is taken must not matter.
      await message.waitFor({ state: 'detached' });
    },
  },
  {
    name: 'recipients',
    as: 'nora',
    async show(stage) {
      await begin(stage);
      await chooseRecipients(stage, []);
      await stage.page.getByRole('dialog', { name: 'Select Recipients' }).waitFor();
    },
  },
  {
    name: 'recipients-chosen',
    as: 'ada',
    async show(stage) {
      await begin(stage);
      await chooseRecipients(stage, ['Grace Hopper', 'Olive Once']);
      const { page } = stage;
      await page.getByRole('dialog').getByRole('searchbox').fill('example.org');
      await page.getByRole('dialog').getByRole('button', { name: 'Search', exact: true }).click();
      await page.getByRole('checkbox', { name: /Nora/ }).waitFor();
    },
  },
  {
    name: 'recipients-invite',
    as: 'nora',
    async show(stage) {
      await begin(stage);
      await chooseRecipients(stage, ['grandma@example.com']);
      await stage.page.getByRole('heading', { name: 'Selected Recipients (1)' }).waitFor();
    },
  },
  {
    name: 'recipients-invited',
    as: 'nora',
    async show(stage) {
      await begin(stage);
      const grandma = { name: 'grandma', email: 'grandma@example.com', avatar: 'G', isYou: false };
      const id = '0198c0de-0000-7000-8000-00000000000a';
      const body = [{ ...grandma, id, isInvited: true }];
      await stage.break('/user/search-recipient', { status: 200, body });
      await chooseRecipients(stage, ['grandma']);
      await stage.page
        .getByRole('button', { name: 'Copy a new invitation link for grandma' })
        .waitFor();
    },
  },
  {
    name: 'recipients-bounced',
    as: 'nora',
    async show(stage) {
      await begin(stage);
      const one = { isYou: false, isInvited: true, emailBounces: true };
      const id = '0198c0de-0000-7000-8000-00000000000';
      const email = `${'grandma.'.repeat(6)}anderson@example.com`;
      const body = [
        { ...one, id: `${id}a`, name: 'grandma', email: 'grandma@example.com', avatar: 'G' },
        { ...one, id: `${id}b`, name: 'Grandmother Anderson-Lindqvist', email, avatar: 'G' },
      ];
      await stage.break('/user/search-recipient', { status: 200, body });
      await chooseRecipients(stage, []);
      const dialog = stage.page.getByRole('dialog', { name: 'Select Recipients' });
      await dialog.getByRole('searchbox').fill('grandma');
      await dialog.getByRole('searchbox').press('Enter');
      await stage.page.getByText("doesn't accept our email").first().waitFor();
    },
  },
  {
    name: 'recipients-offline',
    as: 'nora',
    async show(stage) {
      await begin(stage);
      await stage.setOffline(true);
      await chooseRecipients(stage, ['tom@example.com']);
      await stage.page.getByText("We can't search right now").waitFor();
    },
  },
  {
    name: 'recipients-none',
    as: 'nora',
    async show(stage) {
      await begin(stage);
      await chooseRecipients(stage, []);
      const dialog = stage.page.getByRole('dialog', { name: 'Select Recipients' });
      await dialog.getByRole('searchbox').fill('nobody at all');
      await dialog.getByRole('button', { name: 'Search', exact: true }).click();
      await dialog.getByText('No users found matching').waitFor();
    },
  },
];
