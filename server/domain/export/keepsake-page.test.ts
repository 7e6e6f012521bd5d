import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Capsule, Contribution } from '../../../shared/api/capsules.ts';
import type { DraftContent } from '../../../shared/api/drafts.ts';
import { sampleCapsule, sampleId, sampleUser } from '../../../tests/support/sample-capsule.ts';
import { type Keepsake, keepsakePage } from './keepsake-page.ts';

type Files = Parameters<typeof fileOf>[0][];
const fileOf = (change: {
  id?: string;
  name: string;
  type: string;
  lost?: 'missing' | 'damaged';
  contributionId?: string;
}) => ({
  id: change.name,
  contributionId: null,
  bytes: 2_097_152,
  path: `files/c/01 ${change.name}`,
  lost: undefined,
  ...change,
});

const OPEN = { locked: false, dateToUnlock: '2029-12-31', unlockAt: '2029-12-31T00:00:00Z' };

async function pageOf({
  opened = [],
  sealed = [],
  drafts = [],
  lost = 0,
  name = 'Ada',
}: {
  opened?: { capsule: Capsule; files?: Files; contributions?: Contribution[] }[];
  sealed?: Capsule[];
  drafts?: DraftContent[];
  lost?: number;
  name?: string;
}): Promise<string> {
  const numbered = opened.map(({ capsule, files = [], contributions = [] }, index) => ({
    capsule,
    number: index + 1,
    files: files.map(fileOf),
    contributions,
  }));
  const keepsake: Keepsake = {
    siteName: 'Time Capsule',
    owner: sampleUser(1, name),
    now: new Date('2030-01-01T12:00:00Z'),
    counts: { opened: opened.length, sealed: sealed.length, drafts: drafts.length, lost },
    async *titles() {
      yield* numbered;
    },
    async *opened() {
      for (const { contributions, ...one } of numbered) {
        const each = async function* () {
          yield* contributions;
        };
        yield { ...one, contributions: each() };
      }
    },
    async *sealed() {
      yield* sealed;
    },
    async *drafts() {
      for (const content of drafts) yield { content, writtenAt: new Date(0), files: [] };
    },
  };
  let page = '';
  for await (const piece of keepsakePage(keepsake)) page += piece;
  return page;
}

const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>';

describe('the page of the export', () => {
  it('lets nothing run and nothing be fetched, whatever people wrote', async () => {
    const capsule = sampleCapsule(1, {
      ...OPEN,
      title: HOSTILE,
      description: HOSTILE,
      personalMessage: HOSTILE,
      senderName: HOSTILE,
      recipients: [{ userId: '1', name: HOSTILE, email: HOSTILE }],
    });
    const files = [{ name: HOSTILE, type: 'image/jpeg' }];
    const page = await pageOf({
      opened: [{ capsule, files }],
      sealed: [sampleCapsule(2, { title: HOSTILE, description: HOSTILE })],
      drafts: [
        {
          fields: {
            title: HOSTILE,
            description: HOSTILE,
            personalMessage: HOSTILE,
            recipients: [{ id: '', name: HOSTILE, email: HOSTILE, avatar: '', isYou: false }],
            dateToUnlock: HOSTILE.slice(0, 10),
            notifyRecipient: false,
          },
          files: [{ id: sampleId(1), name: HOSTILE, type: HOSTILE, bytes: 1 }],
        },
      ],
      name: HOSTILE,
    });
    expect(page).toContain('&lt;script&gt;alert(1)');
    expect(page).not.toMatch(/<script|<img src=x|https?:/);
    expect(page).toContain('default-src &#39;none&#39;; img-src &#39;self&#39; file:;');
  });

  it('holds its whole style sheet, as it is written', async () => {
    const style = readFileSync(new URL('keepsake.css', import.meta.url), 'utf8');
    expect(style).toContain('@media print');
    expect(await pageOf({})).toContain(`<style>\n${style}`);
  });

  it('shows of a locked capsule the outside alone [35.keepsake.4]', async () => {
    const page = await pageOf({
      sealed: [sampleCapsule(1, { mediaCount: 3, recipients: [] })],
    });
    expect(page).toContain('No capsule has opened yet.');
    expect(page).toContain('3 files inside');
    expect(page).toContain('1 January 2036');
    expect(page).not.toContain('<article');
  });

  it('has the description beneath the title, where nobody takes it for the end of a letter', async () => {
    const capsule = sampleCapsule(1, {
      ...OPEN,
      description: 'What it is',
      personalMessage: 'The letter',
    });
    const page = await pageOf({ opened: [{ capsule }] });
    const [header = ''] = page.match(/<article.*?<\/header>/s) ?? [];
    expect(header).toContain('What it is');
    expect(page.split('What it is')).toHaveLength(2);
    expect(header).not.toContain('The letter');
  });

  it('names nobody to whom it goes once nobody is left', async () => {
    const mia = { userId: '1', name: 'Mia', email: 'mia@example.com' };
    const opened = (recipients: (typeof mia)[]) =>
      pageOf({ opened: [{ capsule: sampleCapsule(1, { ...OPEN, recipients }) }] });
    expect(await opened([mia])).toContain('<dt>To</dt><dd><bdi>Mia</bdi>');
    expect(await opened([])).not.toContain('<dt>To</dt>');
  });

  it('has what others have added after the letter and files of who sealed it, each with their own', async () => {
    const contributions = [
      { id: '1', name: 'Grandpa', personalMessage: 'A blessing', fileIds: ['Poem.pdf'] },
      { id: '2', name: HOSTILE, personalMessage: '', fileIds: ['Album.jpg'] },
    ];
    const capsule = sampleCapsule(1, { ...OPEN, personalMessage: 'Dear Mia', contributors: 2 });
    const files = [
      { name: 'Mine.jpg', type: 'image/jpeg' },
      { name: 'Poem.pdf', type: 'application/pdf', contributionId: '1' },
      { name: 'Album.jpg', type: 'image/jpeg', contributionId: '2' },
    ];
    const page = await pageOf({ opened: [{ capsule, files, contributions }] });
    const places = [
      ...['Dear Mia', '01%20Mine.jpg', '<bdi>Grandpa</bdi>', 'A blessing', '01%20Poem.pdf'],
      ...['alert(1)&lt;/script&gt;', '01%20Album.jpg', '<dt>From</dt>'],
    ].map((text) => page.indexOf(text));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(page).not.toContain('<script');
  });

  it('numbers the opened ones, by the years in which they opened', async () => {
    const second = { ...OPEN, dateToUnlock: '2030-01-01', title: 'The second' };
    const page = await pageOf({
      opened: [{ capsule: sampleCapsule(1, OPEN) }, { capsule: sampleCapsule(2, second) }],
    });
    expect(page.match(/<h3>\d+/g)).toEqual(['<h3>2029', '<h3>2030']);
    expect(page).toContain('<a href="#capsule-2" dir="auto">The second</a>');
    expect(page).toContain('<article class="capsule" id="capsule-2" style="page: capsule-2">');
    // What is printed is true in browsers that print no foot of ours.
    expect(page).toContain('Each capsule begins a new page, with its number above its title.');
    expect(page).toContain('@page capsule-2{@bottom-left{content:"Capsule 2"}}');
    expect(page).toContain('2 time capsules have opened. Saved from Time Capsule on <time');
  });

  it('shows what browsers show and links the rest, drawings as text', async () => {
    const page = await pageOf({
      opened: [
        {
          capsule: sampleCapsule(1, OPEN),
          files: [
            { name: 'a b#1?%.jpg', type: 'image/jpeg' },
            { name: 'b.svg.txt', type: 'image/svg+xml' },
            { name: 'c.HEIC', type: 'image/heic' },
            { name: 'd.mp4', type: 'video/mp4' },
            { name: 'e.pdf', type: 'application/pdf' },
          ],
        },
      ],
    });
    expect([...page.matchAll(/<img src="([^"]*)"/g)].map(([, src]) => src)).toEqual([
      'files/c/01%20a%20b%231%3F%25.jpg',
    ]);
    expect(page).toContain('<video controls playsinline preload="metadata"');
    expect([...page.matchAll(/href="files\/c\/01%20([^"]*)"/g)].map(([, href]) => href)).toEqual([
      'a%20b%231%3F%25.jpg',
      'd.mp4',
      'b.svg.txt',
      'c.HEIC',
      'e.pdf',
    ]);
  });

  it('plays a voice memo directly beneath the letter', async () => {
    const page = await pageOf({
      opened: [
        {
          capsule: sampleCapsule(1, { ...OPEN, personalMessage: 'Dear Mia', senderName: 'Anna' }),
          files: [
            { name: 'a.jpg', type: 'image/jpeg' },
            { name: 'Voice memo 25 November 2026.webm', type: 'video/webm' },
          ],
        },
      ],
    });
    expect(page).toMatch(/Dear Mia<\/p>\s*<figure class="memo"><audio controls/);
    expect(page).toContain('<bdi>Voice memo 25 November 2026</bdi>');
    expect(page).toContain('by <bdi>Anna</bdi>');
    expect(page).not.toContain('<video');
  });

  it('says which files are missing or damaged, and does not show what is not there', async () => {
    const page = await pageOf({
      lost: 2,
      opened: [
        {
          capsule: sampleCapsule(1, OPEN),
          files: [
            { name: 'gone.jpg', type: 'image/jpeg', lost: 'missing' },
            { name: 'half.jpg', type: 'image/jpeg', lost: 'damaged' },
          ],
        },
      ],
    });
    expect(page).toContain('2 files are missing or damaged.');
    expect(page).toContain('<bdi>gone.jpg</bdi> was missing on the server');
    expect(page).toContain('<bdi>half.jpg</bdi> was damaged on the server');
    expect(page).not.toContain('src="files/c/01%20gone.jpg"');
    expect(page).toContain('src="files/c/01%20half.jpg"');
  });
});
