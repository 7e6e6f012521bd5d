import { execFileSync } from 'node:child_process';
import { findOrInstall, findProgram } from '../../scripts/find/find-program.mjs';

/** The words of each page of a PDF, by poppler. */
export function pdfText(pdf: Buffer): string[] {
  const program = findOrInstall(
    () => findProgram(['pdftotext']),
    ['poppler-utils'],
    'No pdftotext was found. Install it (Debian: apt-get install poppler-utils).',
  );
  const text = execFileSync(program, ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' });
  // A form feed ends each page.
  return text.split('\f').slice(0, -1);
}
