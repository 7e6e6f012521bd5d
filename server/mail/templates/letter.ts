import { site } from '../../../shared/site.ts';
import { type Letter, letterHtml, TURN_OFF } from './letter-html.ts';
import { oneLine } from './plain.ts';

let siteName: string = site.name;

/** Names the site in all letters from now on: a process serves one site. */
export function writeInNameOf(name: string): void {
  siteName = name;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
  link: string;
  /** Where mail programs turn such emails off by one call, which needs the whole address (RFC 8058). */
  turnOffUrl?: string | undefined;
}

/** The same letter twice: as HTML, and as text that reads well by itself. */
export function renderLetter(written: Letter): RenderedMail {
  const { turnOffUrl } = written;
  // The reader's own link keeps its token behind the `#`, which no server is sent.
  const letter = { ...written, turnOffUrl: turnOffUrl?.replace('?', '#') };
  return {
    subject: oneLine(letter.subject),
    text: letterText(letter),
    html: letterHtml(letter, siteName),
    link: letter.action.url,
    turnOffUrl,
  };
}

function letterText({
  heading,
  paragraphs,
  details,
  action,
  aside,
  notes,
  reason,
  turnOffUrl,
}: Letter): string {
  const blocks = [
    heading,
    ...paragraphs,
    (details ?? []).map(({ label, value }) => `${label}: ${value}`).join('\n'),
    // The link stands alone on its line, so that every mail program makes it whole.
    `${action.label}:\n${action.url}`,
    ...notes,
    aside ? `${aside.label}:\n${aside.url}` : '',
    `--\n${siteName}\n${reason}`,
    turnOffUrl ? `${TURN_OFF}:\n${turnOffUrl}` : '',
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
