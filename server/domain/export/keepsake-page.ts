import { html, raw } from 'hono/html';
import type { Capsule, Contribution } from '../../../shared/api/capsules.ts';
import type { CurrentUser } from '../../../shared/api/user.ts';
import { progressPercent } from '../../../shared/capsule-time.ts';
import { type Day, dayAt, isDay } from '../../../shared/day.ts';
import {
  fileSizeText,
  isVoiceMemo,
  SHOWN_IMAGES,
  toMegabytes,
} from '../../../shared/file-types.ts';
import { drawSeal, yearsOf } from '../../../shared/seal-geometry.ts';
import { site } from '../../../shared/site.ts';
import type { ReadDraft } from '../drafts/read-drafts.ts';
import style from './keepsake.css?raw';

/** What the page is made from. Capsules come one by one, in the order of their opening days. */
export interface Keepsake {
  owner: Pick<CurrentUser, 'id' | 'name' | 'bio'>;
  now: Date;
  /** How many have opened, are sealed, are not sealed yet; how many files are missing or damaged. */
  counts: { opened: number; sealed: number; drafts: number; lost: number };
  /** The opened ones, for the list of contents. */
  titles(): AsyncIterable<Numbered<Title>>;
  opened(): AsyncIterable<Opened>;
  sealed(): AsyncIterable<Capsule>;
  drafts(): AsyncIterable<KeepsakeDraft>;
  /** What the site is called. */
  siteName: string;
}

/** The same number in the list of contents, over the capsule and at the foot of its pages. */
interface Numbered<C> {
  capsule: C;
  number: number;
}

/** With what others have added, one after the other, and all files. */
type Opened = Numbered<Capsule> & {
  files: (KeepsakeFile & { contributionId: string | null })[];
  contributions: AsyncIterable<Contribution>;
};

type Title = Pick<Capsule, 'title' | 'senderName' | 'dateToUnlock'>;

interface KeepsakeFile {
  id: string;
  name: string;
  /** MIME type, judged by content. */
  type: string;
  bytes: number;
  /** In the archive. */
  path: string;
  /** Why it is not in the archive, or not whole. */
  lost: Loss | undefined;
}

type KeepsakeDraft = Pick<ReadDraft, 'content' | 'writtenAt'> & { files: KeepsakeFile[] };

export type Loss = 'missing' | 'damaged';

/**
 * Everything as one page of HTML that needs no network and no script, and prints as a book. It is
 * made piece by piece, so that it may be larger than memory.
 */
export async function* keepsakePage(keepsake: Keepsake): AsyncGenerator<string> {
  const { owner, counts } = keepsake;
  yield text(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="${site.name}">
<title>${owner.name} · ${keepsake.siteName}</title>
<style>
${raw(style)}`);
  // Each capsule has pages of its own kind, because the foot of a page can't ask what is on it.
  for (let number = 1; number <= counts.opened; number += 1) {
    yield `@page ${pageName(number)}{@bottom-left{content:"Capsule ${number}"}}\n`;
  }
  yield `</style>\n</head>\n<body>\n`;
  yield text(cover(keepsake));
  yield* contents(keepsake);
  yield '<main>\n';
  for await (const one of keepsake.opened()) yield* article(one);
  yield '</main>\n';
  if (counts.sealed > 0) yield* sealed(keepsake);
  if (counts.drafts > 0) yield* unsealed(keepsake);
  yield '</body>\n</html>\n';
}

/** No script runs, whatever a letter or a name holds, and nothing is fetched but the files beside it. */
const POLICY =
  "default-src 'none'; img-src 'self' file:; media-src 'self' file:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

type Html = ReturnType<typeof html>;

function text(piece: Html): string {
  return piece.toString();
}

const pageName = (number: number) => `capsule-${number}`;

function cover({ owner, now, siteName, counts: { opened, sealed, lost } }: Keepsake): Html {
  const are = (count: number) => (count === 1 ? 'is' : 'are');
  const have = opened === 1 ? '1 time capsule has opened' : `${opened} time capsules have opened`;
  const stay = sealed > 0 ? `, and ${sealed} ${are(sealed)} still sealed` : '';
  return html`<header class="cover">
${seal({ id: owner.id, years: 12, progress: 100, size: 160 })}
<h1><bdi>${owner.name}</bdi></h1>
${owner.bio && html`<p class="bio" dir="auto">${owner.bio}</p>`}
<p>${have}${stay}. Saved from ${siteName} on ${date(dayAt(now, 'UTC'))}.</p>
${lost > 0 && html`<p class="lost">${lost === 1 ? '1 file' : `${lost} files`} ${are(lost)} missing or damaged. Each is named in its capsule.</p>`}
<p class="quiet screen">This page needs no network and no account. Its photos, videos and documents are in the folder “files”, so keep both together. Print it, and it becomes a book.</p>
</header>
`;
}

async function* contents({ titles, counts }: Keepsake): AsyncGenerator<string> {
  yield '<nav class="contents" id="contents" aria-labelledby="contents-title">\n<h2 id="contents-title">Contents</h2>\n';
  if (counts.opened > 0) {
    yield '<p class="quiet paper">Each capsule begins a new page, with its number above its title.</p>\n';
  } else {
    yield '<p>No capsule has opened yet.</p>\n';
  }
  let year = '';
  for await (const { capsule, number } of titles()) {
    const opened = capsule.dateToUnlock.slice(0, 4);
    if (opened !== year) yield `${year && '</ol>\n'}<h3>${opened}</h3>\n<ol>\n`;
    year = opened;
    yield text(html`<li><span>${number}</span> <a href="#${pageName(number)}" dir="auto">${capsule.title}</a>
<span class="quiet">From <bdi>${capsule.senderName}</bdi>, opened on ${date(capsule.dateToUnlock)}</span></li>
`);
  }
  if (year) yield '</ol>\n';
  if (counts.sealed > 0) yield `<p><a href="#sealed">Still sealed: ${counts.sealed}</a></p>\n`;
  if (counts.drafts > 0)
    yield `<p class="screen"><a href="#drafts">Not sealed yet: ${counts.drafts}</a></p>\n`;
  yield '</nav>\n';
}

async function* article({ capsule, number, files, contributions }: Opened): AsyncGenerator<string> {
  const isEmpty = !capsule.personalMessage && files.length === 0 && !capsule.contributors;
  yield text(html`<article class="capsule" id="${pageName(number)}" style="page: ${pageName(number)}">
<header>
${seal({ id: capsule.id, years: yearsOf(capsule), progress: 100, size: 72 })}
<div>
<p class="number">Capsule ${number}</p>
<h2 dir="auto">${capsule.title}</h2>
<p class="quiet">From <bdi>${capsule.senderName}</bdi>, sealed on ${date(sealedOn(capsule))}</p>
${capsule.description && html`<p class="description" dir="auto">${capsule.description}</p>`}
</div>
</header>
${inside({
  by: capsule.senderName,
  letter: capsule.personalMessage,
  files: files.filter(({ contributionId }) => contributionId === null),
})}
${isEmpty && html`<p>There's no letter and there are no files in this one.</p>`}
`);
  for await (const { id, name, personalMessage: letter } of contributions) {
    const own = files.filter(({ contributionId }) => contributionId === id);
    yield text(html`<section class="contribution">
<h3><span class="quiet">From</span> <bdi>${name}</bdi></h3>
${inside({ by: name, letter, files: own })}
</section>
`);
  }
  yield text(html`${facts(capsule)}
<p class="quiet screen"><a href="#contents">Contents</a></p>
</article>
`);
}

/** What one person has put in. */
function inside({
  by,
  letter,
  files,
}: {
  by: string;
  letter: string | null;
  files: KeepsakeFile[];
}): Html {
  const there = files.filter(({ lost }) => lost !== 'missing');
  // The others, as HEIC, are linked; drawings end as text.
  const photos = there.filter(({ type }) => SHOWN_IMAGES.test(type));
  const videos = there.filter(({ type }) => type.startsWith('video/'));
  const memos = videos.filter(({ name }) => isVoiceMemo(name));
  const films = videos.filter((file) => !memos.includes(file));
  const papers = there.filter((file) => !photos.includes(file) && !videos.includes(file));
  return html`${letter && html`<p class="letter" dir="auto">${letter}</p>`}
${memos.map((file) => memo(file, by))}
${photos.length > 0 && html`<ul class="photos">${photos.map((file) => html`<li>${photo(file)}</li>`)}</ul>`}
${films.map(film)}
${papers.length > 0 && html`<ul class="papers">${papers.map((file) => html`<li>${named(file)}${where(file)}</li>`)}</ul>`}
${files.filter(({ lost }) => lost).map(({ name, lost }) => html`<p class="lost"><bdi>${name}</bdi> ${LOSSES[lost as Loss]}</p>`)}`;
}

const LOSSES: Record<Loss, string> = {
  missing: 'was missing on the server, so it is not here. Whoever ran it may have a backup.',
  damaged: 'was damaged on the server. What could still be read is here.',
};

function photo(file: KeepsakeFile): Html {
  return link(
    file,
    html`<img src="${href(file)}" alt="${file.name}" loading="lazy" decoding="async">`,
  );
}

function film(file: KeepsakeFile): Html {
  return html`<figure class="film"><video controls playsinline preload="metadata" loading="lazy" src="${href(file)}"></video>
<figcaption>${named(file)}${where(file)}</figcaption></figure>`;
}

/** Its name has the day on which it was recorded. */
function memo(file: KeepsakeFile, by: string): Html {
  const name = file.name.replace(/\.\w+$/, '');
  return html`<figure class="memo"><audio controls preload="metadata" src="${href(file)}"></audio>
<figcaption>${link(file, html`<bdi>${name}</bdi>`)} <span class="quiet">by <bdi>${by}</bdi></span>${where(file)}</figcaption></figure>`;
}

function link(file: KeepsakeFile, shown: Html): Html {
  return html`<a href="${href(file)}">${shown}</a>`;
}

function named(file: KeepsakeFile): Html {
  return html`${link(file, html`<bdi>${file.name}</bdi>`)} <span class="quiet">${fileSizeText(toMegabytes(file.bytes))}</span>`;
}

/** On paper nothing can be pressed. */
function where({ path }: KeepsakeFile): Html {
  return html`<span class="quiet paper">${path}</span>`;
}

/** The address of a file of the archive, from the page beside the folder. */
function href({ path }: KeepsakeFile): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

async function* sealed({ now, sealed: each }: Keepsake): AsyncGenerator<string> {
  yield `<section class="sealed locked" id="sealed" aria-labelledby="sealed-title">
<h2 id="sealed-title">Still sealed</h2>
<p>These open on their day. Until then nobody can look inside, not even the person who sealed them.</p>
<ul>
`;
  for await (const capsule of each()) {
    const inside = capsule.mediaCount === 1 ? '1 file' : `${capsule.mediaCount} files`;
    yield text(html`<li>
${seal({ id: capsule.id, years: yearsOf(capsule), progress: progressPercent(capsule, now), size: 72 })}
<div>
<h3 dir="auto">${capsule.title}</h3>
<p class="description" dir="auto">${capsule.description}</p>
${capsule.mediaCount > 0 && html`<p class="quiet">${inside} inside</p>`}
${facts(capsule)}
</div>
</li>
`);
  }
  yield '</ul>\n</section>\n';
}

/** Not on paper: the book may be for others, and these are not done. */
async function* unsealed({ owner, drafts }: Keepsake): AsyncGenerator<string> {
  yield `<section class="sealed screen" id="drafts" aria-labelledby="drafts-title">
<h2 id="drafts-title">Not sealed yet</h2>
<p>These are drafts. They aren't printed.</p>
<ul>
`;
  for await (const { content, files, writtenAt } of drafts()) {
    const { title, description, personalMessage, recipients, dateToUnlock } = content.fields;
    const elsewhere = content.files.filter((file) => files.every(({ id }) => id !== file.id));
    yield text(html`<li><div>
<h3 dir="auto">${title || 'Without a title'}</h3>
<p class="quiet">Changed on ${date(dayAt(writtenAt, 'UTC'))}${isDay(dateToUnlock) && html`, to open on ${date(dateToUnlock)}`}</p>
${recipients.length > 0 && html`<p class="quiet">To ${recipients.map(({ name, email }, index) => html`${index > 0 && ', '}<bdi>${name || email}</bdi>`)}</p>`}
${description && html`<p class="description" dir="auto">${description}</p>`}
${inside({ by: owner.name, letter: personalMessage, files })}
${elsewhere.map(({ name }) => html`<p class="quiet"><bdi>${name}</bdi> hadn't arrived from its device when this was made.</p>`)}
</div></li>
`);
  }
  yield '</ul>\n</section>\n';
}

/** Sender, recipients and dates, of locked and opened capsules alike. */
function facts(capsule: Capsule): Html {
  const person = (name: string, email: string) =>
    html`<dd><bdi>${name}</bdi> <span class="quiet">${email}</span></dd>`;
  const recipients = capsule.recipients ?? [];
  return html`<dl class="facts">
<dt>From</dt>${person(capsule.senderName, capsule.senderEmail)}
${recipients.length > 0 && html`<dt>To</dt>${recipients.map(({ name, email }) => person(name, email))}`}
<dt>Sealed</dt><dd>${date(sealedOn(capsule))}</dd>
<dt>${capsule.locked ? 'Opens' : 'Opened'}</dt><dd>${date(capsule.dateToUnlock)}</dd>
</dl>`;
}

/** The day on which it was sealed, where its creator was. */
function sealedOn({ createdAt, timeZone }: Capsule): Day {
  return dayAt(new Date(createdAt), timeZone);
}

const longDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function date(day: Day): Html {
  return html`<time datetime="${day}">${longDay.format(new Date(`${day}T00:00:00Z`))}</time>`;
}

/** The growth rings of a capsule, as on its card. Decorative. */
function seal(drawn: Parameters<typeof drawSeal>[0]): Html {
  const { passed, ahead, bark, thick, thin } = drawSeal(drawn);
  return html`<svg class="seal" aria-hidden="true" viewBox="0 0 160 160" width="${drawn.size}" height="${drawn.size}">
<path class="bark" d="${bark}" stroke-width="${thick}"/>${ahead && html`<path class="ahead" d="${ahead}" stroke-width="${thin}"/>`}
${passed.map(({ path, width }) => html`<path d="${path}" stroke-width="${width}"/>`)}</svg>`;
}
