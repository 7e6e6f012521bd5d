import { flushSync } from 'react-dom';

/** Moves the focus to the page's heading, after the pressed button has disappeared. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

/**
 * Shows what is wrong, and focuses the first invalid field. At once: after the next frame, which may be
 * late, it would take the focus from somebody who types on. Not for effects.
 */
export function showErrors<Found>(form: HTMLElement | null, show: () => Found): Found {
  const found = flushSync(show);
  focusFirstError(form);
  return found;
}

/** @returns whether there is an invalid field */
export function focusFirstError(form: HTMLElement | null): boolean {
  // Buttons cannot have aria-invalid, so they use data-refused.
  const refused = form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-refused]');
  refused?.focus();
  return Boolean(refused);
}
