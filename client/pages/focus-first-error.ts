/** Puts the focus on the first field that was refused, once it is marked; where there is none, `otherwise`. */
export function focusFirstError(form: HTMLFormElement | null, otherwise?: () => void): void {
  requestAnimationFrame(() => {
    // A button cannot be invalid: one that leads to what was refused says so itself.
    const refused = form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-refused]');
    if (refused) refused.focus();
    else otherwise?.();
  });
}
