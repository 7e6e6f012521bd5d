import { site } from '../../../shared/site.ts';
import { type Letter, letterHtml } from './letter-html.ts';
import { oneLine } from './plain.ts';

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
  link: string;
}

/** The same letter twice: as HTML, and as text that reads well by itself. */
export function renderLetter(letter: Letter): RenderedMail {
  return {
    subject: oneLine(letter.subject),
    text: letterText(letter),
    html: letterHtml(letter, site.name),
    link: letter.action.url,
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
}: Letter): string {
  const blocks = [
    heading,
    ...paragraphs,
    (details ?? []).map(({ label, value }) => `${label}: ${value}`).join('\n'),
    // The link stands alone on its line, so that every mail program makes it whole.
    `${action.label}:\n${action.url}`,
    ...notes,
    aside ? `${aside.label}:\n${aside.url}` : '',
    `--\n${site.name}\n${reason}`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
