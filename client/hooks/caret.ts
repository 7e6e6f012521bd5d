import type { MergedText } from '../db/merge-text.ts';

/**
 * Puts a merged text into the field that is being written in, before the page is drawn again: the caret
 * stays in its word.
 * @param texts by the names of their fields
 */
export function keepCaret(before: object, texts: Record<string, MergedText>): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return;
  const merged = Object.hasOwn(texts, field.name) ? texts[field.name] : undefined;
  const shown: unknown = Object(before)[field.name];
  if (!merged || merged.text === shown || field.value !== shown) return;
  const { text, moved } = merged;
  const { selectionStart, selectionEnd, selectionDirection, scrollTop } = field;
  field.value = text;
  field.setSelectionRange(
    moved(selectionStart ?? 0),
    moved(selectionEnd ?? 0),
    selectionDirection ?? undefined,
  );
  field.scrollTop = scrollTop;
}
