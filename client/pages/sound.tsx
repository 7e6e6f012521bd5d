import type { ComponentProps, SyntheticEvent } from 'react';

/** A voice memo, with the browser's own player. What people say to each other has no captions. */
export function Sound(props: Omit<ComponentProps<'audio'>, 'controls' | 'preload'>) {
  return (
    <audio {...props} className="wide" controls preload="metadata" onLoadedMetadata={findEnd} />
  );
}

/** A recording of Chromium doesn't say how long it is. Whoever has been at its end knows. */
function findEnd({ currentTarget: player }: SyntheticEvent<HTMLAudioElement>): void {
  if (player.duration !== Infinity) return;
  player.addEventListener('durationchange', () => (player.currentTime = 0), { once: true });
  player.currentTime = Number.MAX_SAFE_INTEGER;
}
