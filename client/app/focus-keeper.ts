/**
 * What had the focus or was pressed last, and what it stands in, from the inside out. Around a dialog
 * stands what has opened it, around a message what had the focus before.
 */
let path: readonly Element[] = [];

/**
 * When the element with the focus leaves the page, as a pressed button may, the focus goes to the
 * nearest `[data-focus-home]` around it, else to the heading of the page; from what has opened a capsule
 * first to the capsule's card. Nothing moves in sight.
 */
export function keepFocus(): void {
  document.addEventListener('focusin', ({ target }) => note(target));
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (!relatedTarget) queueMicrotask(() => forget(target));
  });
  // Safari gives no focus to a button that is pressed.
  document.addEventListener('pointerdown', () => isLost() && note(null), true);
  document.addEventListener('click', ({ target }) => isLost() && note(target), true);
  new MutationObserver(goHome).observe(document, { childList: true, subtree: true });
}

function isLost(): boolean {
  return document.activeElement === document.body || document.activeElement === null;
}

function note(target: EventTarget | null): void {
  if (!(target instanceof Element)) {
    path = [];
    return;
  }
  const dialog = target.closest('dialog, [aria-live]');
  const inside: Element[] = [];
  for (let at: Element | null = target; at; at = at === dialog ? null : at.parentElement)
    inside.push(at);
  path = dialog ? [...inside, ...path.slice(path.indexOf(dialog) + 1)] : inside;
}

/** The person has turned away from what is still there, but not from the dialog that it is in. */
function forget(target: EventTarget | null): void {
  if (!isLost() || target !== path[0] || !path[0]?.isConnected) return;
  const dialog = path.findIndex((around) => around.matches('dialog[open]'));
  path = dialog < 0 ? [] : path.slice(dialog);
}

function goHome(): void {
  if (!path[0] || path[0].isConnected || !isLost()) return;
  for (const around of [...path, document.body]) {
    for (const home of homesIn(around)) {
      if (home.tabIndex < 0) home.tabIndex = -1;
      home.focus({ preventScroll: true });
      // What is hidden, or behind a dialog, takes none.
      if (!isLost()) return;
    }
  }
}

function homesIn(around: Element): Iterable<HTMLElement> {
  if (around.isConnected) return around.querySelectorAll('[data-focus-home], main h1');
  const id = around.getAttribute('data-capsule');
  return document.querySelectorAll(`[data-capsule="${id}"] button`);
}
