import { useEffect, useRef, useState } from 'react';
import { VOICE_MEMO } from '../../../shared/file-types.ts';
import { Button } from '../../components/button.tsx';
import { confirm } from '../../components/confirm.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CircleAlert } from '../../components/icon.tsx';
import { deletePieces, putPiece, readPieces } from '../../db/recordings.ts';
import { useAddress } from '../../hooks/use-address.ts';
import { durationText, longDate } from '../format.ts';
import { Sound } from '../sound.tsx';
import { type Ending, recordedType, recordSound } from './record-sound.ts';
import styles from './recorder.module.css';

export interface RecorderProps {
  rowId: string;
  maxSeconds: number;
  /** Called once something is recorded, so that there is a stored row for it. */
  onStart: () => Promise<unknown>;
  /** Adds the recording to the row. @returns why it could not be added; nothing when it was */
  onKeep: (file: File) => Promise<readonly string[]>;
  onClose: () => void;
}

type State =
  | { phase: 'empty' | 'asking' }
  | { phase: 'recording'; seconds: number }
  /** Its type is that of a video: capsules hold sound as a video without a picture. */
  | { phase: 'recorded' | 'adding'; file: Blob };

const ENDINGS: Record<Ending, string | null> = {
  stopped: null,
  limit: "That's as long as a voice memo can be. Everything until then is here.",
  cut: 'The microphone was cut off. Everything until then is here.',
};
const PAGE_CLOSED = 'Your last recording was cut off. Everything until then is here.';
const UNSAVED =
  "This device can't save what you record right now. Keep this page open until you've added it.";

/** Records a voice memo, plays it, and adds it as a file. */
export function Recorder(props: RecorderProps) {
  const { rowId, maxSeconds, onStart, onKeep, onClose } = props;
  const [state, setState] = useState<State>({ phase: 'empty' });
  const [notes, setNotes] = useState<readonly string[]>([]);
  const abort = useRef(new AbortController());
  const [isRead, setRead] = useState(false);

  const record = async () => {
    setState({ phase: 'asking' });
    setNotes([]);
    abort.current = new AbortController();
    const pieces: Blob[] = [];
    const saves: Promise<void>[] = [];
    let note: string | null;
    let started: Promise<unknown> | undefined;
    await deletePieces(rowId).catch(() => undefined);
    try {
      const ending = await recordSound({
        signal: abort.current.signal,
        maxSeconds,
        onPiece: (piece) => {
          const index = pieces.push(piece);
          started ??= onStart();
          const saving = started.then(() => putPiece(rowId, index, piece));
          saves.push(saving.catch(() => setNotes([UNSAVED])));
        },
        onTick: (seconds) => setState({ phase: 'recording', seconds }),
      });
      note = ENDINGS[ending];
    } catch (error) {
      note = whyNot(error);
    }
    await Promise.all(saves);
    if (note) setNotes([note]);
    setState(recorded(pieces));
  };
  const again = async () => {
    if (await mayDelete()) void record();
  };
  const keep = async (file: Blob) => {
    setState({ phase: 'adding', file });
    const refused = await onKeep(new File([file], nameOf(file), { type: file.type }));
    if (refused.length > 0) {
      setState({ phase: 'recorded', file });
      return setNotes(refused);
    }
    await deletePieces(rowId).catch(() => undefined);
    onClose();
  };
  const close = async () => {
    if (state.phase === 'recording') return abort.current.abort();
    if (state.phase === 'adding') return;
    if (state.phase === 'recorded') {
      if (!(await mayDelete())) return;
      await deletePieces(rowId).catch(() => undefined);
    }
    onClose();
  };

  useEffect(() => {
    // A page that was closed has left the pieces it had saved.
    const takeOver = async () => {
      const pieces = await readPieces(rowId).catch(() => []);
      setRead(true);
      if (pieces.length === 0) return;
      setNotes([PAGE_CLOSED]);
      setState(recorded(pieces));
    };
    void takeOver();
    return () => abort.current.abort();
  }, [rowId]);
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
              onClick={() => void keep(state.file)}
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
            busy={state.phase === 'asking' || !isRead}
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
        {isRecorded ? (
          <Recorded file={state.file} />
        ) : (
          <p className={styles.time} role="timer">
            {durationText(state.phase === 'recording' ? state.seconds : 0)} of{' '}
            {durationText(maxSeconds)}
          </p>
        )}
        <p className="silent quiet" role="status">
          {state.phase === 'asking' && 'Your browser may ask whether we can use the microphone.'}
          {state.phase === 'recording' && 'Recording.'}
          {state.phase === 'empty' &&
            'Say it in your own voice. Like the letter, it stays sealed until the day.'}
        </p>
      </div>
    </Dialog>
  );
}

/** The recording, to be listened to before it is added. */
function Recorded({ file }: { file: Blob }) {
  const address = useAddress(file);
  return <Sound src={address} aria-label="Your recording" />;
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

function recorded(pieces: BlobPart[]): State {
  if (pieces.length === 0) return { phase: 'empty' };
  const type = recordedType()?.includes('mp4') ? 'video/mp4' : 'video/webm';
  return { phase: 'recorded', file: new Blob(pieces, { type }) };
}

/** 'Voice memo 23 November 2026.webm' */
function nameOf({ type }: Blob): string {
  return `${VOICE_MEMO} ${longDate(new Date().toISOString())}${type.replace('video/', '.')}`;
}
