import { type ComponentType, useCallback, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { ACCEPTED_FILES } from '../../../shared/file-types.ts';
import { Button } from '../../components/button.tsx';
import { classes } from '../../components/classes.ts';
import { confirm } from '../../components/confirm.tsx';
import { CircleAlert, Film, Image, Mic, Upload } from '../../components/icon.tsx';
import { toasts } from '../../components/toast.tsx';
import { addFiles, limitsText, type PickLimits } from '../../db/pick-files.ts';
import { readPieces } from '../../db/recordings.ts';
import {
  addRefusals,
  attachFiles,
  copying,
  dismissRefusals,
  takeOut,
} from '../../hooks/attach-files.ts';
import { useExternalStore } from '../../hooks/store.ts';
import type { ShownFile } from '../../hooks/use-attachments.ts';
import { changeDevice } from '../change-device.ts';
import styles from './file-picker.module.css';
import { PickedFiles } from './picked-files.tsx';
import { recordedType } from './record-sound.ts';
import type { RecorderProps } from './recorder.tsx';

interface FilePickerProps {
  /** What they are added to: a draft, or what somebody adds to one. */
  rowId: string;
  isPart?: boolean;
  handle: { isInOtherTab: boolean; keep: () => Promise<boolean>; isFull: () => boolean };
  /** They go to the account as soon as they can. */
  isForAccount: boolean;
  /** The server has, or may have, something of it. */
  isOnServer: boolean;
  files: readonly ShownFile[];
  /** Null while they are not known. */
  limits: PickLimits | null;
  error: string | undefined;
  /** Called before files are added or removed. */
  onFiles: () => void;
}

const DROP_THEM = 'Choose them or drop them here.';

/** Adds files that are picked or dropped, and copies them to this device at once. */
export function FilePicker(props: FilePickerProps) {
  const { rowId, isPart, handle, isForAccount, isOnServer, files, limits, error, onFiles } = props;
  const id = useId();
  const { refused } = useExternalStore(copying);
  const picker = useRef<HTMLFieldSetElement>(null);
  const list = useRef<HTMLElement>(null);
  const complaint = useRef<HTMLDivElement>(null);

  /** @returns one sentence for each reason for which files could not be added */
  const add = async (added: readonly File[]): Promise<readonly string[]> => {
    if (handle.isInOtherTab) return ['You have this open in another tab.'];
    // A recording must not change a capsule that is being sent.
    if (picker.current?.closest('[inert]')) return ['This capsule is being sent.'];
    if (added.length === 0) return [];
    const pick = addFiles(
      files.filter((file) => !file.isLost),
      added,
      limits,
    );
    dismissRefusals(rowId);
    addRefusals(rowId, pick.refused);
    // What could not be added is news; what was, the person has chosen.
    const news = pick.refused.length > 0 ? complaint : list;
    requestAnimationFrame(() => news.current?.scrollIntoView({ block: 'nearest' }));
    if (pick.files.length > 0) {
      onFiles();
      await attachFiles(rowId, pick.files, handle.keep, handle.isFull);
    }
    return copying.get().refused[rowId] ?? [];
  };
  const remove = async (file: ShownFile) => {
    const question = `Remove “${file.name}”${isPart ? '' : ' from this draft'}?`;
    const text = isOnServer
      ? 'This removes it on all your devices.'
      : 'This deletes its copy on this device.';
    const isStored = file.copied === null && !file.isLost;
    if (isStored && !(await confirm(question, text, { danger: true }))) return;
    onFiles();
    void changeDevice(() => takeOut(rowId, file.id));
  };
  const [Recorder, openRecorder, closeRecorder] = useRecorder(rowId, handle.isInOtherTab);
  const leftOut = refused[rowId] ?? [];
  // Who only adds a letter need not know.
  const isQuiet = isPart && files.length === 0;
  const hint = isQuiet ? '' : `${hasCamera() ? '' : DROP_THEM} ${limitsText(limits)}`;
  const complaints = error ? [error, ...leftOut] : leftOut;

  return (
    <fieldset className="stack gap-12" disabled={handle.isInOtherTab} ref={picker}>
      {files.length > 0 && (
        <PickedFiles
          rowId={rowId}
          isForAccount={isForAccount}
          files={files}
          onRemove={(file) => void remove(file)}
          ref={list}
        />
      )}
      <label
        className={`stack gap-4 centred holds ${styles.zone}`}
        htmlFor={id}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void add([...event.dataTransfer.files]);
        }}
      >
        <Upload className="copper" size={24} />
        <span className="strong">Add photos, videos or PDFs</span>
        <span className="quiet small" id={`${id}-hint`}>
          {hint}
        </span>
        <input
          id={id}
          data-focus-home
          className={classes('visually-hidden', styles.input)}
          type="file"
          multiple
          accept={ACCEPTED_FILES}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error ${id}-hint` : `${id}-hint`}
          onChange={(event) => {
            void add([...(event.target.files ?? [])]);
            // The same file can be picked again after it was removed.
            event.target.value = '';
          }}
        />
      </label>
      <div className={`stack gap-8 ${styles.camera}`}>
        {hasCamera() && (
          <>
            <Button
              icon={Image}
              onClick={() => takeWithCamera('image/*', (taken) => void add(taken))}
            >
              Take a photo
            </Button>
            <Button
              icon={Film}
              onClick={() => takeWithCamera('video/*', (taken) => void add(taken))}
            >
              Record a video
            </Button>
          </>
        )}
        {recordedType() && (
          <Button icon={Mic} onClick={() => void openRecorder()}>
            Record a voice memo
          </Button>
        )}
      </div>
      {Recorder &&
        !handle.isInOtherTab &&
        // Beside the tab, which may be hidden.
        createPortal(
          <Recorder
            rowId={rowId}
            maxSeconds={maxSeconds(limits)}
            onStart={() => {
              onFiles();
              return handle.keep();
            }}
            onKeep={(file) => add([file])}
            onClose={closeRecorder}
          />,
          document.body,
        )}
      <div role="alert" ref={complaint}>
        {complaints.length > 0 && (
          <div className={`row gap-8 top small rounded ${styles.refused}`}>
            <CircleAlert className="red" size={18} />
            <ul className="grow breaks" id={`${id}-error`}>
              {complaints.map((complaint) => (
                <li key={complaint}>{complaint}</li>
              ))}
            </ul>
            {leftOut.length > 0 && (
              <Button variant="quiet" onClick={() => dismissRefusals(rowId)}>
                Dismiss
              </Button>
            )}
          </div>
        )}
      </div>
    </fieldset>
  );
}

const MEMO_MAX_SECONDS = 600;

/** A minute is half a megabyte: far below the limit of a file, also where that is low. */
function maxSeconds(limits: PickLimits | null): number {
  return Math.min(MEMO_MAX_SECONDS, (limits?.maxFileMB ?? Infinity) * 60);
}

/**
 * The recorder, once it is opened; its code is fetched then. It opens by itself when a page that was
 * closed, or a tab that wrote here before, has left a recording.
 */
function useRecorder(rowId: string, isInOtherTab: boolean) {
  const [Recorder, setRecorder] = useState<ComponentType<RecorderProps> | null>(null);
  const open = useCallback(async () => {
    try {
      const recorder = await import('./recorder.tsx');
      setRecorder(() => recorder.Recorder);
    } catch {
      toasts.failure("We couldn't open the recorder. Please try again.");
    }
  }, []);
  useEffect(() => {
    if (isInOtherTab) return;
    let isGone = false;
    const openForRest = async () => {
      if ((await readPieces(rowId)).length > 0 && !isGone) await open();
    };
    openForRest().catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [rowId, isInOtherTab, open]);
  return [Recorder, open, () => setRecorder(null)] as const;
}

/** A touch screen, so most likely a phone or tablet with a camera. */
function hasCamera(): boolean {
  return matchMedia('(any-pointer: coarse)').matches;
}

/** Referenced here so that the input is not garbage-collected while the camera is open. */
let camera: HTMLInputElement | null = null;

/** Opens the camera. Many phones do not offer it in a picker for several kinds of files. */
function takeWithCamera(accept: string, onFiles: (files: File[]) => void): void {
  camera = document.createElement('input');
  camera.type = 'file';
  camera.accept = accept;
  camera.setAttribute('capture', 'environment');
  camera.onchange = () => onFiles([...(camera?.files ?? [])]);
  camera.click();
}
