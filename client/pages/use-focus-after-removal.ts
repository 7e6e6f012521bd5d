import { type RefObject, useEffect, useRef } from 'react';

/**
 * What was pressed to remove an entry is gone with it. The focus, unless it has found a place of
 * its own, goes on to `place` within the box, or `otherwise` where the last entry has taken that
 * along.
 * @param count how many entries there are
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
    // An entry may also go by itself, while the focus is nowhere.
    if (!last.current || last.current.isConnected) return;
    const find = (selector: string) => box.current?.querySelector<HTMLElement>(selector);
    // Whoever points goes on pointing: nothing may move under the finger.
    (find(place) ?? find(otherwise))?.focus({ preventScroll: true });
  }, [box, count, place, otherwise]);
}
