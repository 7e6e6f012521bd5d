/** Moves the focus to the page's heading, after the pressed button has disappeared. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

/** Focuses the first invalid field after the next render. Calls `otherwise` if there is none. */
export function focusFirstError(form: HTMLElement | null, otherwise?: () => void): void {
  requestAnimationFrame(() => {
    // Buttons cannot have aria-invalid, so they use data-refused.
    const refused = form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-refused]');
    if (refused) refused.focus();
    else otherwise?.();
  });
}
