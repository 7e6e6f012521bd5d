/** Scrolls to what a `#name` names; a name that nothing has, or that no browser can decode, leads nowhere. */
export function scrollToAnchor(hash: string): void {
  let name = hash.slice(1);
  try {
    name = decodeURIComponent(name);
  } catch {
    // A bare % is no escape: the name is taken as it stands.
  }
  document.getElementById(name)?.scrollIntoView();
}
