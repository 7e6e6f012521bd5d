import { useCallback, useEffect, useState } from 'react';
import { lookAtOpened } from '../../state/app-badge.ts';
import { hasSeenOpening, rememberOpening } from '../../state/opened-seen.ts';

/** Pressed for something else. */
const MODIFIERS = ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta'];

/**
 * Whether the opening of this capsule is being shown: once on each device, and any key or
 * press ends it. Give the component that asks a key of the capsule's id.
 */
export function useOpening(capsuleId: string) {
  const [isOpening, setOpening] = useState(() => !hasSeenOpening(capsuleId));
  const endOpening = useCallback(() => setOpening(false), []);

  useEffect(() => {
    rememberOpening(capsuleId);
    void lookAtOpened(capsuleId);
  }, [capsuleId]);

  useEffect(() => {
    if (!isOpening) return;
    const skipByKey = (event: KeyboardEvent) => {
      if (event.repeat || MODIFIERS.includes(event.key)) return;
      // The first Escape ends the show, the next one closes the dialog.
      if (event.key === 'Escape') event.preventDefault();
      endOpening();
    };
    window.addEventListener('keydown', skipByKey, true);
    window.addEventListener('pointerdown', endOpening, true);
    return () => {
      window.removeEventListener('keydown', skipByKey, true);
      window.removeEventListener('pointerdown', endOpening, true);
    };
  }, [isOpening, endOpening]);

  return { isOpening, endOpening };
}
