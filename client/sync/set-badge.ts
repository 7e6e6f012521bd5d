/** Puts a number on the app's icon, or with 0 takes it away. Not every browser can, or lets one. */
export function setBadge(count: number): void {
  const { navigator } = globalThis;
  if (!navigator?.setAppBadge) return;
  const done = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge();
  done.catch(() => undefined);
}
