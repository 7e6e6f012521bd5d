import { useEffect, useRef, useState } from 'react';
import { VOICE_MEMO } from '../../../shared/file-types.ts';
import { Button } from '../../components/button.tsx';
import { confirm } from '../../components/confirm.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CircleAlert } from '../../components/icon.tsx';
import { Waveform } from '../../components/waveform.tsx';
import { deletePieces, putPiece, readPieces, whileRecording } from '../../db/recordings.ts';
import { useAddress } from '../../hooks/use-address.ts';
import { durationText, longDate } from '../format.ts';
import { readSound, type Sound } from '../sound.ts';
import { type Ending, recordedType, recordSound } from './record-sound.ts';
import styles from './recorder.module.css';
import { withDuration } from './webm-duration.ts';

export interface RecorderProps {
  draftId: string;
  maxSeconds: number;
  /** The names of the draft's files, which a new one must not have. */
  names: readonly string[];
  /** Called once something is recorded, so that there is a stored draft for it. */
  onStart: () => Promise<unknown>;
  /** Adds the recording to the draft. @returns why it could not be added; nothing when it was */
  onKeep: (file: File) => Promise<readonly string[]>;
  onClose: () => void;
}

type State =
  | { phase: 'empty' | 'asking' }
  | ({ phase: 'recording' } & Running)
  | ({ phase: 'recorded' | 'adding' } & Memo);

interface Running {
  seconds: number;
  /** The newest last, from 0 to 1. */
  levels: readonly number[];
}

interface Memo {
  /** Its type is that of a video: capsules hold sound as a video without a picture. */
  file: Blob;
  /** Null where the browser cannot decode what it has recorded. */
  sound: Sound | null;
}

const ENDINGS: Record<Ending, string | null> = {
  stopped: null,
  limit: "That's as long as a voice memo can be. Everything until then is here.",
  cut: 'The microphone was cut off. Everything until then is here.',
};
/** Until then a page that records nothing has answered. */
const SOON_MS = 500;
const PAGE_CLOSED = 'Your last recording was cut off. Everything until then is here.';
const UNSAVED =
  "This device can't save what you record right now. Keep this page open until you've added it.";

/** Records a voice memo, plays it, and adds it to the draft as a file. */
export function Recorder(props: RecorderProps) {
  const { draftId, maxSeconds, names, onStart, onKeep, onClose } = props;
  const [state, setState] = useState<State>({ phase: 'empty' });
  const [notes, setNotes] = useState<readonly string[]>([]);
  const abort = useRef(new AbortController());
  // Null while that is not known.
  const [isElsewhere, setElsewhere] = useState<boolean | null>(null);

  const record = async () => {
    setState({ phase: 'asking' });
    setNotes([]);
    abort.current = new AbortController();
    const pieces: Blob[] = [];
    const saves: Promise<void>[] = [];
    let note: string | null;
    let levels: readonly number[] = Array(LEVELS_SHOWN).fill(0);
    let started: Promise<unknown> | undefined;
    await deletePieces(draftId).catch(() => undefined);
    try {
      const ending = await recordSound({
        signal: abort.current.signal,
        maxSeconds,
        onPiece: (piece) => {
          const index = pieces.push(piece);
          started ??= onStart();
          const saving = started.then(() => putPiece(draftId, index, piece));
          saves.push(saving.catch(() => setNotes([UNSAVED])));
        },
        onTick: (seconds, level) => {
          levels = [...levels.slice(1), level];
          setState({ phase: 'recording', seconds, levels });
        },
      });
      note = ENDINGS[ending];
    } catch (error) {
      note = whyNot(error);
    }
    await Promise.all(saves);
    if (note) setNotes([note]);
    setState(await recorded(pieces));
  };
  const again = async () => {
    if (await mayDelete()) void record();
  };
  const keep = async ({ file, sound }: Memo) => {
    setState({ phase: 'adding', file, sound });
    const refused = await onKeep(new File([file], freeName(file, names), { type: file.type }));
    if (refused.length > 0) {
      setState({ phase: 'recorded', file, sound });
      return setNotes(refused);
    }
    await deletePieces(draftId).catch(() => undefined);
    onClose();
  };
  const close = async () => {
    if (state.phase === 'recording') return abort.current.abort();
    if (state.phase === 'adding') return;
    if (state.phase === 'recorded') {
      if (!(await mayDelete())) return;
      await deletePieces(draftId).catch(() => undefined);
    }
    onClose();
  };

  useEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    const timer = setTimeout(() => setElsewhere((before) => before ?? true), SOON_MS);
    const take = async () => {
      setElsewhere(false);
      // A page that was closed has left the pieces it had saved.
      const pieces = await readPieces(draftId).catch(() => []);
      if (pieces.length > 0) {
        setNotes([PAGE_CLOSED]);
        setState(await recorded(pieces));
      }
      if (!signal.aborted) await new Promise((done) => signal.addEventListener('abort', done));
    };
    whileRecording(draftId, signal, take).catch(() => undefined);
    return () => {
      clearTimeout(timer);
      gone.abort();
      abort.current.abort();
    };
  }, [draftId]);
  const isUndecided = state.phase === 'recording' || state.phase === 'recorded';
  useEffect(() => {
    if (!isUndecided) return;
    const ask = (event: Event) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUndecided]);

  const isRecorded = state.phase === 'recorded' || state.phase === 'adding';
  return (
    <Dialog
      title="Record a voice memo"
      onClose={() => void close()}
      footer={
        isRecorded ? (
          <>
            <Button onClick={() => void again()}>Record again</Button>
            <Button
              autoFocus
              variant="primary"
              busy={state.phase === 'adding'}
              onClick={() => void keep(state)}
            >
              Add it
            </Button>
          </>
        ) : state.phase === 'recording' ? (
          <Button key="stop" autoFocus variant="danger" onClick={() => abort.current.abort()}>
            Stop
          </Button>
        ) : (
          <Button
            key="start"
            autoFocus
            variant="primary"
            busy={state.phase === 'asking' || isElsewhere !== false}
            onClick={() => void record()}
          >
            Start recording
          </Button>
        )
      }
    >
      <div className="stack gap-12">
        <div role="alert">
          {notes.map((note) => (
            <p key={note} className="row gap-8 top">
              <CircleAlert className="copper" size={18} />
              {note}
            </p>
          ))}
        </div>
        {state.phase === 'recording' && (
          <div className={styles.meter}>
            <Waveform levels={state.levels} />
          </div>
        )}
        {isRecorded ? (
          <Recorded {...state} />
        ) : (
          <p className={styles.time} role="timer">
            {durationText(state.phase === 'recording' ? state.seconds : 0)} of{' '}
            {durationText(maxSeconds)}
          </p>
        )}
        <p className="silent quiet" role="status">
          {state.phase === 'asking' && 'Your browser may ask whether we can use the microphone.'}
          {state.phase === 'recording' && meterText(state, maxSeconds)}
          {isElsewhere && "You're recording this in another tab. Finish it there first."}
          {state.phase === 'empty' &&
            !isElsewhere &&
            'Say it in your own voice. Like the letter, it stays sealed until the day.'}
        </p>
      </div>
    </Dialog>
  );
}

/** What the meter shows: three seconds. */
const LEVELS_SHOWN = 30;
const QUIET_SECONDS = 3;
/** The hum of a quiet room stays below. */
const HEARD = 0.2;
const LAST_SECONDS = 60;

/** The meter in words. They change rarely, because they are read aloud into the microphone. */
function meterText({ seconds, levels }: Running, maxSeconds: number): string {
  if (maxSeconds - seconds < LAST_SECONDS) return 'Recording. Less than a minute left.';
  if (levels.some((level) => level > HEARD)) return 'Recording. Your microphone works.';
  return seconds < QUIET_SECONDS ? 'Recording.' : "Recording. We can't hear anything.";
}

/** The recording, to be listened to before it is added. */
function Recorded({ file, sound }: Memo) {
  const address = useAddress(file);
  return (
    <>
      {sound && <Waveform levels={sound.levels} />}
      {/* biome-ignore lint/a11y/useMediaCaption: The person has just said it. */}
      <audio className="wide" controls src={address} aria-label="Your recording" />
    </>
  );
}

function mayDelete(): Promise<boolean> {
  const text = "It isn't added yet, and can't be brought back.";
  return confirm('Delete this recording?', text, { danger: true, yes: 'Delete', no: 'Keep it' });
}

/** Why the microphone could not be used; null when it was given up. */
function whyNot(error: unknown): string | null {
  switch (error instanceof Error && error.name) {
    case 'AbortError':
      return null;
    case 'NotAllowedError':
    case 'SecurityError':
      return "We can't use the microphone. Allow it for this site in your browser's settings, then try again.";
    case 'NotFoundError':
      return "We couldn't find a microphone. Connect one, then try again.";
    default:
      return "We couldn't use the microphone. Another app may be using it. Please try again.";
  }
}

async function recorded(pieces: readonly BlobPart[]): Promise<State> {
  if (pieces.length === 0) return { phase: 'empty' };
  const bytes = new Uint8Array(await new Blob([...pieces]).arrayBuffer());
  const sound = await readSound(bytes.slice().buffer).catch(() => null);
  const parts = sound ? withDuration(bytes, sound.seconds) : [bytes];
  const type = recordedType()?.includes('mp4') ? 'video/mp4' : 'video/webm';
  return { phase: 'recorded', file: new Blob(parts, { type }), sound };
}

/** 'Voice memo 23 November 2026.webm', with a number if there is one already. */
function freeName({ type }: Blob, names: readonly string[]): string {
  const name = `${VOICE_MEMO} ${longDate(new Date().toISOString())}`;
  const extension = type.replace('video/', '.');
  let free = name + extension;
  for (let count = 2; names.includes(free); count += 1) free = `${name} (${count})${extension}`;
  return free;
}
