import { useSyncExternalStore } from 'react';

/*
 * Some pages come with their words: the build has rendered them, once for every visitor or once
 * for every member, and the app takes them over. What its first render says must be what stands
 * there.
 */

let isRenderingForMembers = false;

/** For the build only: what is rendered from now on is for visitors, or for members. */
export function renderFor(reader: 'visitor' | 'member'): void {
  isRenderingForMembers = reader === 'member';
}

/** Whether the page at hand has been rendered for members, or is just being rendered for them. */
export function isForMembers(): boolean {
  if (typeof document === 'undefined') return isRenderingForMembers;
  return document.getElementById('root')?.dataset.reader === 'member';
}

const never = () => () => undefined;

/** False while a page that came with its words is taken over, true ever after. */
export function useTakenOver(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
