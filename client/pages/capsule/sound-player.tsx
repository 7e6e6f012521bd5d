import { type KeyboardEvent, type Ref, useRef, useState } from 'react';
import { Pause, Play } from '../../components/icon.tsx';
import { Waveform } from '../../components/waveform.tsx';
import { durationText } from '../format.ts';
import { LEVELS, type Sound } from '../sound.ts';
import styles from './sound-player.module.css';

/** Drawn until a sound is here, so that nothing moves when it comes. */
const SILENCE: readonly number[] = Array(LEVELS).fill(0);

interface SoundPlayerProps {
  ref: Ref<HTMLElement>;
  /** What is heard, for the button's name: 'Listen to Mia'. */
  title: string;
  /** A Blob's address; undefined until it is here. */
  address: string | undefined;
  sound: Sound | null;
  /** Why it cannot be heard now. */
  trouble: string;
  onError: () => void;
}

/** A large button, the sound as a line of bars that is also the place to move in it, and its time. */
export function SoundPlayer({ ref, title, address, sound, trouble, onError }: SoundPlayerProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(0);
  const seconds = sound?.seconds ?? length;
  const levels = sound?.levels ?? SILENCE;
  const Mark = isPlaying ? Pause : Play;

  const toggle = () => {
    const element = audio.current;
    if (!element) return;
    // A browser that cannot play it reports an error as well.
    if (element.paused) element.play().catch(() => undefined);
    else element.pause();
  };
  const moveTo = (place: number) => {
    if (audio.current) audio.current.currentTime = place;
    setAt(place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const way = ARROWS[event.key];
    if (way === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moveTo(Math.min(Math.max(at + way * arrowStep(seconds), 0), seconds));
  };
  return (
    <figure ref={ref} className={`gap-8-16 ${styles.player}`}>
      {/* biome-ignore lint/a11y/useMediaCaption: Nobody has written down what people say to each other. */}
      <audio
        ref={audio}
        src={address}
        onError={onError}
        onPlay={({ currentTarget }) => {
          pauseOthers(currentTarget);
          setPlaying(true);
        }}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
        onDurationChange={({ currentTarget }) => {
          // A recording without an index does not say how long it is.
          if (Number.isFinite(currentTarget.duration)) setLength(currentTarget.duration);
        }}
      />
      <button
        type="button"
        className={`centre ${styles.button}`}
        aria-label={isPlaying ? 'Pause' : title}
        disabled={address === undefined}
        onClick={toggle}
      >
        <Mark size={30} />
      </button>
      <div className="stack gap-4 narrows">
        <figcaption className="serif larger breaks">{title}</figcaption>
        <div className={`ringed ${styles.line}`}>
          <Waveform levels={levels} />
          <div
            className={styles.heard}
            style={{ clipPath: `inset(0 ${100 - heardPercent(at, seconds)}% 0 0)` }}
          >
            <Waveform levels={levels} />
          </div>
          <input
            type="range"
            className={`wide ${styles.place}`}
            aria-label={`Place in “${title}”`}
            aria-valuetext={`${durationText(at)} of ${durationText(seconds)}`}
            min={0}
            max={seconds}
            step={0.1}
            value={Math.min(at, seconds)}
            disabled={address === undefined || seconds === 0}
            onChange={({ target }) => moveTo(Number(target.value))}
            onKeyDown={onKeyDown}
          />
        </div>
        <p className="stamp row spread quiet">
          <span>{durationText(at)}</span>
          <span>{seconds > 0 ? durationText(seconds) : ''}</span>
        </p>
      </div>
      <p className="silent quiet small across" role="status">
        {trouble}
      </p>
    </figure>
  );
}

const ARROWS: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

/**
 * The seconds that an arrow key moves: enough to hear a difference. The slider's own step is finer,
 * so that it can be dragged smoothly.
 */
function arrowStep(seconds: number): number {
  return Math.min(Math.max(seconds / 10, 1), 5);
}

function heardPercent(at: number, seconds: number): number {
  return seconds > 0 ? Math.min(100, (at / seconds) * 100) : 0;
}

/** Two voices at once are none. */
function pauseOthers(playing: HTMLAudioElement): void {
  for (const other of document.querySelectorAll<HTMLMediaElement>('audio, video')) {
    if (other !== playing) other.pause();
  }
}
