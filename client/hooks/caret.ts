import type { MergedText } from '../db/merge-text.ts';

/** Where somebody wrote in a form that another one follows at once. */
let left: { name: string; start: number | null; end: number | null } | null = null;

/** Notes the field that is being written in, and the caret in it. */
export function leaveCaret(): void {
  const field = document.activeElement;
  const isText = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
  left = isText ? { name: field.name, start: field.selectionStart, end: field.selectionEnd } : null;
}

/** Puts the caret where it was left, in the form that follows. @returns whether it was left in a field */
export function takeCaret(form: HTMLFormElement | null): boolean {
  const field = left && form?.elements.namedItem(left.name);
  const isText = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
  if (isText) field.focus({ preventScroll: true });
  if (isText && left?.start != null) field.setSelectionRange(left.start, left.end);
  left = null;
  return isText;
}

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
