import { type RefObject, useEffect, useRef } from 'react';

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

/**
 * After an entry is removed together with its focused button, focuses `place` within the box, or
 * `otherwise` if the last entry is gone. @param count number of entries
 */
export function useFocusAfterRemoval(
  box: RefObject<HTMLElement | null>,
  count: number,
  place: string,
  otherwise = place,
): void {
  const before = useRef(count);
  const last = useRef<Node | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      if (target instanceof Node && box.current?.contains(target)) last.current = target;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, [box]);
  useEffect(() => {
    const isRemoval = count < before.current;
    before.current = count;
    const { activeElement } = document;
    if (!isRemoval || (activeElement && activeElement !== document.body)) return;
    // An entry can also disappear by itself. Then the focus stays.
    if (!last.current || last.current.isConnected) return;
    const find = (selector: string) => box.current?.querySelector<HTMLElement>(selector);
    // Without scrolling, so that nothing moves under a finger.
    (find(place) ?? find(otherwise))?.focus({ preventScroll: true });
  }, [box, count, place, otherwise]);
}
