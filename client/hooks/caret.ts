import type { MergedFields } from '../db/merge-draft.ts';
import type { DraftFields } from '../db/tables.ts';

/** What a field of the page is called that shows this text of a draft, or of a contribution. */
const NAMES = {
  title: ['title', 'name'],
  description: ['description'],
  personalMessage: ['personalMessage', 'letter'],
} as const;

/**
 * Puts a merged text into the field that is being written in, before the page is drawn again: the caret
 * stays in its word.
 */
export function keepCaret(before: DraftFields, { texts }: Pick<MergedFields, 'texts'>): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return;
  for (const name of ['title', 'description', 'personalMessage'] as const) {
    const { text, moved } = texts[name];
    const isShown = NAMES[name].some((one) => one === field.name) && field.value === before[name];
    if (!isShown || text === before[name]) continue;
    const { selectionStart, selectionEnd, selectionDirection, scrollTop } = field;
    field.value = text;
    field.setSelectionRange(
      moved(selectionStart ?? 0),
      moved(selectionEnd ?? 0),
      selectionDirection ?? undefined,
    );
    field.scrollTop = scrollTop;
  }
}
