import { useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { TITLE_MAX } from '../../../shared/limits.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Upload } from '../../components/icon.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import type { OutboxRow } from '../../db/tables.ts';
import { useAddedCount } from '../../hooks/added-count.ts';
import { deviceState, useOnline } from '../../hooks/device-state.ts';
import { useExternalStore } from '../../hooks/store.ts';
import type { ShownFile } from '../../hooks/use-attachments.ts';
import type { DraftHandle } from '../../hooks/use-draft.ts';
import { useNow } from '../../hooks/use-now.ts';
import { discardUnfinished, SENDS_WHEN_CLOSED, useProgress } from '../../hooks/use-outbox.ts';
import { changeDevice } from '../change-device.ts';
import { isWaiting } from '../contents/picked-files.tsx';
import { savedText } from '../draft-words.ts';
import { focusHeading } from '../focus.ts';
import { fileCountText, longDay, shortened } from '../format.ts';
import { confirmDiscarding } from '../unfinished-drafts.tsx';
import { stillNeeded, stillToDo } from './check-draft.ts';
import { letterText } from './letter-text.ts';
import { OnlyHere } from './only-here.tsx';
import styles from './summary-card.module.css';

interface SummaryCardProps {
  handle: DraftHandle;
  files: readonly ShownFile[];
  /** Files are still being copied to this device. */
  isCopying: boolean;
  isSending: boolean;
  /** The outbox item of the draft, once it is queued. */
  item: OutboxRow | null | undefined;
  /** Called with every change; the first one begins a new draft. */
  onBegin: () => void;
}

/** What will be sealed, and the button that does it. */
export function SummaryCard(props: SummaryCardProps) {
  const { handle, files, isCopying, isSending, item, onBegin } = props;
  const navigate = useNavigate();
  const { draft } = handle;
  const { fields } = draft;
  const others = useAddedCount(draft.id);
  const names = fields.recipients
    .map(({ name, email, isYou }) => `${name} (${isYou ? 'You' : email})`)
    .join(', ');

  const discard = async () => {
    if (!(await confirmDiscarding('Discard this draft?', draft))) return;
    const isDone = await changeDevice(() => discardUnfinished(handle.take()));
    // The draft is still open, so save its latest words again.
    if (!isDone) return handle.change({});
    navigate('/create', { replace: true });
    focusHeading();
  };

  return (
    <aside className={styles.aside}>
      <Card title="Capsule Summary">
        <dl className={styles.facts}>
          <div>
            <dt>Title</dt>
            <dd>{shortened(fields.title.trim(), TITLE_MAX) || 'Untitled Capsule'}</dd>
          </div>
          <div>
            <dt>Recipients</dt>
            <dd>{names || 'No recipients selected'}</dd>
          </div>
          <div>
            <dt>Unlock date</dt>
            <dd>{fields.dateToUnlock ? longDay(fields.dateToUnlock) : 'No date selected'}</dd>
          </div>
          <div>
            <dt>Letter</dt>
            <dd>{letterText(fields.personalMessage)}</dd>
          </div>
          <div>
            <dt>Files</dt>
            <dd>{fileCountText(files.length)}</dd>
          </div>
          {others > 0 && (
            <div>
              <dt>From others</dt>
              <dd>{others === 1 ? 'What 1 person added' : `What ${others} people added`}</dd>
            </div>
          )}
        </dl>
        <p className={styles.note}>
          Once created, the capsule will be locked until the specified unlock date.
        </p>
        <div className={styles.draft}>
          <DraftState
            handle={handle}
            files={files}
            isSending={isSending}
            isCopying={files.length > 0 && isCopying}
          />
          {handle.savedAt !== null && !isSending && (
            <Button variant="quiet" onClick={() => void discard()}>
              Discard draft
            </Button>
          )}
        </div>
        {!isSending && <OnlyHere handle={handle} files={files} onBegin={onBegin} />}
      </Card>
      <SealBar
        item={item}
        isSending={isSending}
        needed={stillNeeded(fields)}
        toDo={stillToDo(draft.otherVersions ?? [], files)}
        isCopying={isCopying}
      />
    </aside>
  );
}

interface SealBarProps extends Pick<SummaryCardProps, 'item' | 'isSending' | 'isCopying'> {
  /** What is missing before the capsule can be sealed. */
  needed: readonly string[];
  /** What else has to be done before, in sentences. */
  toDo: readonly string[];
}

/** The submit button and the progress of the upload. */
function SealBar({ item, isSending, isCopying, needed, toDo }: SealBarProps) {
  const id = useId();
  const progress = useProgress(item);
  const [hasBegun, setBegun] = useState(false);
  if (item && !hasBegun) setBegun(true);
  // The item is gone: the server has the capsule, and the page is about to change.
  const percent = hasBegun && !item ? 100 : progress.percent;
  const isWaiting = needed.length + toDo.length > 0;
  return (
    <div className={styles.bar}>
      {isSending && <ProgressBar label="Uploading" percent={percent} />}
      {isWaiting && (
        <div className={styles.needed} id={id}>
          {needed.length > 0 && <p>Still needed: {needed.join(', ')}</p>}
          {toDo.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      )}
      <div className={styles.buttons}>
        <Button
          type="submit"
          variant="primary"
          wide
          disabled={isWaiting || isCopying}
          aria-describedby={isWaiting ? id : undefined}
          busy={isSending}
          busyLabel={`Uploading... ${percent}%`}
          // A still icon: a spinner that turns for minutes drains a phone's battery.
          busyIcon={<Upload size={18} aria-hidden="true" />}
        >
          Create Time Capsule
        </Button>
      </div>
    </div>
  );
}

interface DraftStateProps {
  handle: DraftHandle;
  files: readonly ShownFile[];
  isSending: boolean;
  isCopying: boolean;
}

/** Whether the draft is saved. Only problems and progress are announced, not every save. */
function DraftState({ handle, files, isSending, isCopying }: DraftStateProps) {
  const { trouble } = useExternalStore(deviceState);
  const { draft, savedAt, isBehind, refusal, alsoWritten } = handle;
  const now = useNow();
  const isOnline = useOnline();
  const onTheirWay = files.filter(isOnItsWay).length;
  const stamp = isBehind
    ? 'Saving…'
    : savedAt !== null && savedText({ ...handle, savedAt, onTheirWay, isOnline }, now);
  const isTold = isSending || isCopying || trouble !== null || refusal !== null;
  return (
    <div>
      <div role="status">
        {isSending && <p>{trouble === null ? SENDING : SENDING_UNKEPT}</p>}
        {!isSending && trouble !== null && <p>{UNKEPT}</p>}
        {!isSending && trouble === null && refusal !== null && <p>{REFUSED[refusal]}</p>}
        {!isSending && isCopying && <p>Copying your files to this device…</p>}
        {alsoWritten === 'tab' && (
          <p>This draft is open in another tab. Changes there show up here.</p>
        )}
        {alsoWritten === 'device' && (
          <p>
            Changed on {draft.elsewhere?.writtenOn ?? 'another device'}. You see the changes here.
          </p>
        )}
      </div>
      {!isTold && <p>{stamp}</p>}
    </div>
  );
}

/** Not while it waits, which its row says. */
function isOnItsWay(file: ShownFile): boolean {
  return !file.hasArrived && !file.isElsewhere && !file.isLost && !isWaiting(file);
}

const SENDING = SENDS_WHEN_CLOSED
  ? "You can leave this page. We'll keep sending it in the background."
  : "Keep this screen open until your capsule is sealed. It's saved on this device, but we can send it only while the app is open.";
const SENDING_UNKEPT = 'Please leave this page open until the capsule is sealed.';
const UNKEPT =
  "This page can't save anything on this device. Please leave it open until the capsule is sealed.";
const REFUSED = {
  full: "Your device is out of space, so your latest changes aren't saved. Remove files, discard another draft or free some space, and keep this page open until then.",
  failed: "Your latest changes aren't saved yet. Keep this page open while we try again.",
};
