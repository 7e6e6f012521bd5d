/** After what was pressed is gone with all that it stood in: reading goes on at the page's heading. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}
