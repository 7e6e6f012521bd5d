import { site } from '../../../shared/site.ts';
import { letterHtml } from './letter-html.ts';
import { oneLine } from './plain.ts';

/** One mail as plain words. Nothing in it is HTML: the layout escapes all of it. */
export interface Letter {
  subject: string;
  /** The line a mailbox shows beside the subject. */
  preheader: string;
  heading: string;
  /** Copper: sealed, verdigris: open. */
  tone: 'copper' | 'verdigris';
  paragraphs: string[];
  /** Labelled lines, such as title and unlock day. */
  details?: { label: string; value: string }[];
  action: { label: string; url: string };
  /** Under the button: how long the link lives, what to do when it was not you. */
  notes: string[];
  /** Why this mail came. */
  reason: string;
}

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

function letterText({ heading, paragraphs, details, action, notes, reason }: Letter): string {
  const blocks = [
    heading,
    ...paragraphs,
    (details ?? []).map(({ label, value }) => `${label}: ${value}`).join('\n'),
    // The link stands alone on its line, so that every mail program makes it whole.
    `${action.label}:\n${action.url}`,
    ...notes,
    `--\n${site.name}\n${reason}`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
