import { useNavigate } from 'react-router-dom';
import type { DraftHandle } from '../../state/draft.ts';
import { discardUnfinished } from '../../state/outbox.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { longDay, timeText } from '../words.ts';
import { isComplete } from './new-capsule.ts';
import styles from './summary-card.module.css';

interface SummaryCardProps {
  handle: DraftHandle;
  fileCount: number;
  /** Files are still on their way into this device. */
  isCopying: boolean;
  /** Whole percent that has left; null while nothing is sent. */
  percent: number | null;
}

/** What will be sealed, and the button that does it. */
export function SummaryCard({ handle, fileCount, isCopying, percent }: SummaryCardProps) {
  const navigate = useNavigate();
  const { draft } = handle;
  const { fields } = draft;
  const isSending = percent !== null;
  const names = fields.recipients.map(({ name }) => name).join(', ');

  const discard = async () => {
    if (!(await confirm('Discard this draft and its files?', { danger: true }))) return;
    await discardUnfinished(handle.take());
    navigate('/create', { replace: true });
  };

  return (
    <aside className={styles.aside}>
      <Card title="Capsule Summary" className={styles.card}>
        <dl className={styles.facts}>
          <div>
            <dt>Title</dt>
            <dd>{fields.title.trim() || 'Untitled Capsule'}</dd>
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
          <p role="status">{isSending ? SENDING : draftText(handle, fileCount > 0 && isCopying)}</p>
          {handle.savedAt !== null && !isSending && (
            <Button variant="quiet" onClick={() => void discard()}>
              Discard draft
            </Button>
          )}
        </div>
      </Card>
      <div className={styles.bar}>
        {isSending && <ProgressBar label="Uploading" percent={percent} />}
        <div className={styles.buttons}>
          <Button
            type="submit"
            variant="primary"
            wide
            disabled={!isComplete(fields) || isCopying}
            busy={isSending}
            busyLabel={`Uploading... ${percent}%`}
          >
            Create Time Capsule
          </Button>
        </div>
      </div>
    </aside>
  );
}

const SENDING = 'You may leave this page: the capsule is kept on this device until it is sealed.';

function draftText({ savedAt, saveFailed }: DraftHandle, isCopying: boolean): string {
  if (saveFailed) return 'This device could not keep your draft. Please leave this page open.';
  if (isCopying) return 'Copying your files to this device…';
  return savedAt === null ? '' : `Saved on this device ${timeText(savedAt)}`;
}
