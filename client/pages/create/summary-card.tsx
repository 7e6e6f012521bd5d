import type { DraftHandle } from '../../state/draft.ts';
import { useExternalStore } from '../../state/external-store.ts';
import { pickFiles, sealing, stopSealing } from '../../state/sealing.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { longDay } from '../words.ts';
import { isComplete } from './new-capsule.ts';
import styles from './summary-card.module.css';

/** What will be sealed, and the button that does it. */
export function SummaryCard({ handle }: { handle: DraftHandle }) {
  const { files, percent } = useExternalStore(sealing);
  const { fields } = handle.draft;
  const isSending = percent !== null;
  const names = fields.recipients.map(({ name }) => name).join(', ');

  const startOver = async () => {
    if (!(await confirm('Discard this draft and its files?', { danger: true }))) return;
    pickFiles([]);
    handle.discard();
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
            <dd>{files.length === 1 ? '1 file' : `${files.length} files`}</dd>
          </div>
        </dl>
        <p className={styles.note}>
          Once created, the capsule will be locked until the specified unlock date.
        </p>
        <div className={styles.draft}>
          <p role="status">{draftText(handle)}</p>
          {handle.savedAt !== null && !isSending && (
            <Button variant="quiet" onClick={() => void startOver()}>
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
            disabled={!isComplete(fields)}
            busy={isSending}
            busyLabel={`Uploading... ${percent}%`}
          >
            Create Time Capsule
          </Button>
          {isSending && <Button onClick={stopSealing}>Stop</Button>}
        </div>
      </div>
    </aside>
  );
}

function draftText({ savedAt, saveFailed }: DraftHandle): string {
  if (saveFailed) return 'This device could not keep your draft. Please leave this page open.';
  return savedAt === null ? '' : 'Draft kept on this device.';
}
