import { html, raw } from 'hono/html';
import { site } from '../../../shared/site.ts';
import { oneLine } from './plain.ts';

/** An email as plain words. Nothing in it is HTML: the layout escapes all of it. */
interface Words {
  subject: string;
  /** The line a mailbox shows beside the subject. */
  preheader: string;
  /** The subject where there is none. */
  heading?: string;
  /** Copper, which is what there is without one: sealed. Verdigris: open. */
  tone?: 'copper' | 'verdigris';
  paragraphs: string[];
  /** Labelled lines, such as title and unlock day. */
  details?: { label: string; value: string }[];
  action: { label: string; url: string };
  /** A second, quiet link. */
  aside?: { label: string; url: string } | undefined;
  /** Where the reader turns such emails off. */
  turnOffUrl?: string | undefined;
  /** Under the button: how long the link lives, what to do when it was not you. */
  notes?: string[];
  /** Why this email came. */
  reason: string;
}

/** What most emails to a person are made from. */
export interface ToPerson {
  name: string;
  /** The reader's time zone; null where it is not known. */
  zone: string | null;
  /** Where the button leads. */
  url: string;
}

export interface RenderedEmail {
  subject: string;
  text: string;
  html: string;
  link: string;
  /** Where mail programs turn such emails off by one call, which needs the whole address (RFC 8058). */
  turnOffUrl?: string | undefined;
}

let siteName: string = site.name;

/** Names the site in all emails from now on: a process serves one site. */
export function writeInNameOf(name: string): void {
  siteName = name;
}

/** The same words twice: as HTML, and as text that reads well by itself. */
export function layOut(words: Words): RenderedEmail {
  const { turnOffUrl } = words;
  const laidOut = {
    ...{ heading: words.subject, tone: 'copper' as const, details: [], notes: [] },
    ...words,
    // The reader's own link keeps its token behind the `#`, which no server is sent.
    turnOffUrl: turnOffUrl?.replace('?', '#'),
  };
  return {
    subject: oneLine(words.subject),
    text: asText(laidOut),
    html: asHtml(laidOut),
    link: words.action.url,
    turnOffUrl,
  };
}

type AllWords = Words & Required<Pick<Words, 'heading' | 'tone' | 'details' | 'notes'>>;

/** The product's light colours; the dark ones replace them where a mail program asks for it. */
const COLOUR = {
  ground: '#F4F1EA',
  surface: '#FCFAF5',
  ink: '#1E2523',
  ink2: '#4E5753',
  hairline: '#D8D1C1',
  copper: '#96431A',
  verdigris: '#1F6B5E',
  button: '#A84E22',
} as const;

/** The words of the link for who does not want such emails. */
const TURN_OFF = 'Turn these emails off';

const HEADING_FONT = raw("Georgia, 'Iowan Old Style', 'Times New Roman', serif");
const TEXT_FONT = raw("-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif");

const DARK = raw(`
  @media (prefers-color-scheme: dark) {
    .ground { background-color: #121715 !important; }
    .surface { background-color: #1B2220 !important; border-color: #2F3935 !important; }
    .ink, .ink a { color: #EFEBE1 !important; }
    .ink-2, .ink-2 a { color: #B4BBB5 !important; }
    .copper { color: #E59A6C !important; border-color: #E59A6C !important; }
    .verdigris { color: #74C7B2 !important; border-color: #74C7B2 !important; }
    .hairline { border-color: #2F3935 !important; }
    .button, .button a { background-color: #E59A6C !important; color: #1A120C !important; }
  }
  @media (max-width: 480px) { .card { padding: 28px 22px !important; } }`);

type Html = ReturnType<typeof html>;

/** Tables and inline styles, because that is what mail programs agree on. */
function asHtml(words: AllWords): string {
  const { subject, preheader, heading, tone, paragraphs, details, action, aside } = words;
  const { notes, reason, turnOffUrl } = words;
  const { url } = action;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${subject}</title>
<style>
  :root { color-scheme: light dark; supported-color-schemes: light dark; }${DARK}
</style>
</head>
<body class="ground" style="margin:0; padding:0; background-color:${COLOUR.ground};">
<div style="display:none; max-height:0; overflow:hidden; mso-hide:all;">${preheader}${raw('&#847;&zwnj;&nbsp;'.repeat(60))}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:${COLOUR.ground};">
<tr><td align="center" style="padding:32px 12px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;">
<tr><td style="padding:0 4px 20px;">${brand(tone)}</td></tr>
<tr><td class="card surface" style="padding:40px; background-color:${COLOUR.surface}; border:1px solid ${COLOUR.hairline}; border-radius:14px;">
<h1 class="ink" style="margin:0 0 18px; font:600 28px/1.25 ${HEADING_FONT}; color:${COLOUR.ink};"><bdi>${heading}</bdi></h1>
${paragraphs.map((text) => paragraph(text, 'ink', 16))}
${detailRows(details)}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:26px 0 24px;">
<tr><td class="button" style="background-color:${COLOUR.button}; border-radius:6px;"><a href="${url}" style="display:inline-block; padding:14px 26px; font:600 16px/1.2 ${TEXT_FONT}; color:#FFFFFF; text-decoration:none; border-radius:6px;">${action.label}</a></td></tr>
</table>
${notes.map((text) => paragraph(text, 'ink-2', 14))}
${aside ? html`<p class="ink-2" style="margin:0 0 14px; font:400 14px/1.55 ${TEXT_FONT}; color:${COLOUR.ink2};"><a href="${aside.url}" style="color:${COLOUR.ink2};">${aside.label}</a></p>` : ''}
<p class="ink-2 hairline" style="margin:22px 0 0; padding:18px 0 0; border-top:1px solid ${COLOUR.hairline}; font:400 13px/1.5 ${TEXT_FONT}; color:${COLOUR.ink2};">If the button doesn't work, open this address:<br><a href="${url}" style="color:${COLOUR.ink2}; word-break:break-all;">${url}</a></p>
</td></tr>
<tr><td class="ink-2" style="padding:20px 8px 0; font:400 13px/1.5 ${TEXT_FONT}; color:${COLOUR.ink2};">${reason}${turnOffUrl ? html`<br><a href="${turnOffUrl}" style="color:${COLOUR.ink2};">${TURN_OFF}</a>` : ''}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.toString();
}

/** Growth rings beside the name, drawn with borders: pictures are blocked in most mailboxes. */
function brand(tone: AllWords['tone']) {
  const colour = COLOUR[tone];
  const ring = (size: number, style: string, inside: Html) =>
    html`<div class="${tone}" style="width:${size}px; height:${size}px; padding:3px; border:2px ${style} ${colour}; border-radius:50%;">${inside}</div>`;
  const core = html`<div class="${tone}" style="width:0; height:0; border:3px solid ${colour}; border-radius:50%;"></div>`;
  const rest = tone === 'verdigris' ? 'solid' : 'dashed';
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td aria-hidden="true" style="font-size:0; line-height:0;">${ring(26, rest, ring(16, 'solid', html`<div style="padding:5px;">${core}</div>`))}</td>
<td class="${tone}" style="padding-inline-start:12px; font:600 18px/1 ${HEADING_FONT}; color:${colour};">${siteName}</td>
</tr></table>`;
}

function paragraph(text: string, shade: 'ink' | 'ink-2', size: number) {
  const colour = shade === 'ink' ? COLOUR.ink : COLOUR.ink2;
  return html`<p class="${shade}" style="margin:0 0 14px; font:400 ${size}px/1.55 ${TEXT_FONT}; color:${colour};">${text}</p>`;
}

function detailRows(details: { label: string; value: string }[]) {
  if (details.length === 0) return '';
  const rows = details.map(
    ({ label, value }) => html`<tr>
<td class="ink-2 hairline" valign="top" style="padding:11px 16px 11px 0; border-top:1px solid ${COLOUR.hairline}; font:400 14px/1.45 ${TEXT_FONT}; color:${COLOUR.ink2}; white-space:nowrap;">${label}</td>
<td class="ink hairline" valign="top" width="100%" style="padding:11px 0; border-top:1px solid ${COLOUR.hairline}; font:600 15px/1.45 ${TEXT_FONT}; color:${COLOUR.ink}; word-break:break-word;"><bdi>${value}</bdi></td>
</tr>`,
  );
  return html`<table width="100%" cellpadding="0" cellspacing="0" border="0" role="presentation" style="margin:8px 0 0;">
${rows}
</table>`;
}

/** As plain text. */
function asText(words: AllWords): string {
  const { heading, paragraphs, details, action, aside, notes, reason, turnOffUrl } = words;
  const blocks = [
    heading,
    ...paragraphs,
    details.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    // The link stands alone on its line, so that every mail program makes it whole.
    `${action.label}:\n${action.url}`,
    ...notes,
    aside ? `${aside.label}:\n${aside.url}` : '',
    `--\n${siteName}\n${reason}`,
    turnOffUrl ? `${TURN_OFF}:\n${turnOffUrl}` : '',
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
