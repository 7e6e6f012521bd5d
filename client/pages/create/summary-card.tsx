import { useNavigate } from 'react-router-dom';
import { TITLE_MAX } from '../../../shared/limits.ts';
import type { OutboxRow } from '../../local/db.ts';
import { SENDS_WHEN_CLOSED } from '../../state/background-sync.ts';
import { deviceState } from '../../state/device-state.ts';
import type { DraftHandle } from '../../state/draft.ts';
import { useExternalStore } from '../../state/external-store.ts';
import { useProgress } from '../../state/sent-bytes.ts';
import { useMinute } from '../../state/use-minute.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Upload } from '../../ui/icon.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { changeDevice } from '../change-device.ts';
import { focusHeading } from '../focus-heading.ts';
import { shortened } from '../shortened.ts';
import { dayAndTimeText, longDay } from '../words.ts';
import { isComplete } from './new-capsule.ts';
import styles from './summary-card.module.css';

interface SummaryCardProps {
  handle: DraftHandle;
  fileCount: number;
  /** Files are still on their way into this device. */
  isCopying: boolean;
  isSending: boolean;
  /** What the draft has become once it is queued. */
  item: OutboxRow | null | undefined;
}

/** What will be sealed, and the button that does it. */
export function SummaryCard({ handle, fileCount, isCopying, isSending, item }: SummaryCardProps) {
  const navigate = useNavigate();
  const { draft } = handle;
  const { fields } = draft;
  const names = fields.recipients
    .map(({ name, email, isYou }) => `${name} (${isYou ? 'You' : email})`)
    .join(', ');

  const discard = async () => {
    if (!(await confirm('Discard this draft and its files?', { danger: true }))) return;
    const isDone = await changeDevice(async () => {
      const { discardUnfinished } = await import('../../state/outbox-actions.ts');
      await discardUnfinished(handle.take());
    });
    // Its latest words are written again.
    if (!isDone) return handle.change({});
    navigate('/create', { replace: true });
    focusHeading();
  };

  return (
    <aside className={styles.aside}>
      <Card title="Capsule Summary" className={styles.card}>
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
            <dt>Files</dt>
            <dd>{fileCount === 1 ? '1 file' : `${fileCount} files`}</dd>
          </div>
        </dl>
        <p className={styles.note}>
          Once created, the capsule will be locked until the specified unlock date.
        </p>
        <div className={styles.draft}>
          <DraftState
            handle={handle}
            isSending={isSending}
            isCopying={fileCount > 0 && isCopying}
          />
          {handle.savedAt !== null && !isSending && (
            <Button variant="quiet" onClick={() => void discard()}>
              Discard draft
            </Button>
          )}
        </div>
      </Card>
      <SealBar item={item} isSending={isSending} disabled={!isComplete(fields) || isCopying} />
    </aside>
  );
}

interface SealBarProps extends Pick<SummaryCardProps, 'item' | 'isSending'> {
  disabled: boolean;
}

/** The button, and how far the capsule has come. */
function SealBar({ item, isSending, disabled }: SealBarProps) {
  const { percent } = useProgress(item);
  return (
    <div className={styles.bar}>
      {isSending && <ProgressBar label="Uploading" percent={percent} />}
      <div className={styles.buttons}>
        <Button
          type="submit"
          variant="primary"
          wide
          disabled={disabled}
          busy={isSending}
          busyLabel={`Uploading... ${percent}%`}
          // Still: a ring that turns for minutes costs a phone its battery.
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
  isSending: boolean;
  isCopying: boolean;
}

/** Where the person's words are at this moment. Only what they should know of is announced. */
function DraftState({ handle, isSending, isCopying }: DraftStateProps) {
  const { trouble } = useExternalStore(deviceState);
  const { savedAt, isBehind, refusal, isShared } = handle;
  const now = useMinute();
  const stamp = isBehind
    ? 'Saving…'
    : savedAt !== null && `Saved on this device ${dayAndTimeText(savedAt, now)}`;
  const isTold = isSending || isCopying || trouble !== null || refusal !== null;
  return (
    <div>
      <div role="status">
        {isSending && <p>{trouble === null ? SENDING : SENDING_UNKEPT}</p>}
        {!isSending && trouble !== null && <p>{UNKEPT}</p>}
        {!isSending && trouble === null && refusal !== null && <p>{REFUSED[refusal]}</p>}
        {!isSending && isCopying && <p>Copying your files to this device…</p>}
        {isShared && <p>Also open in another tab: what is written there appears here.</p>}
      </div>
      {!isTold && <p>{stamp}</p>}
    </div>
  );
}

const SENDING = SENDS_WHEN_CLOSED
  ? 'You may leave this page: the capsule is kept on this device until it is sealed.'
  : 'Keep this screen open until it is sealed. The capsule is kept on this device, but it is sent only while the app is open.';
const SENDING_UNKEPT = 'Please leave this page open until the capsule is sealed.';
const UNKEPT =
  'This page can keep nothing on this device. Please leave it open until the capsule is sealed.';
const REFUSED = {
  full: 'This device is full: your last words are not saved. Remove files or discard another draft, or free some space. They are saved as soon as there is room; until then please leave this page open.',
  failed:
    'This device could not save your last words. It is tried again; until then please leave this page open.',
};
