import type { Unreadable } from '../local/unreadable.ts';
import { useUnreadable } from '../state/unreadable.ts';
import { Button } from '../ui/button.tsx';
import { confirm } from '../ui/confirm.tsx';
import { changeDevice } from './change-device.ts';
import { focusHeading } from './focus-heading.ts';
import styles from './unreadable-list.module.css';

const WHAT: Record<Unreadable['kind'], string> = {
  draft: 'A draft that can no longer be read',
  capsule: 'A sealed capsule that can no longer be read',
};

/** What is damaged on this device stays until its person has looked at it. Nothing when there is none. */
export function UnreadableList({ rows }: { rows: readonly Unreadable[] }) {
  if (rows.length === 0) return null;
  return (
    <ul className={styles.list}>
      {rows.map((row) => (
        <li key={`${row.kind} ${row.id}`} className={styles.row}>
          <Row row={row} />
        </li>
      ))}
    </ul>
  );
}

function Row({ row }: { row: Unreadable }) {
  const what = WHAT[row.kind];
  const discard = async () => {
    const question = 'Discard what is left of it, and its files? This action cannot be undone.';
    if (!(await confirm(question, { danger: true }))) return;
    const isDone = await changeDevice(async () => {
      const { discardBroken } = await import('../state/outbox-actions.ts');
      await discardBroken(row);
    });
    if (isDone) focusHeading();
  };
  return (
    <>
      <p className={styles.what}>{what}</p>
      <p className={styles.why}>
        Its record on this device is damaged. Nothing of it has been deleted.
        {row.kind === 'capsule' && ' It cannot be sent any more.'}
      </p>
      {row.words.length > 0 && (
        <details>
          <summary>Show the text that is left</summary>
          <p className={styles.words}>{row.words.join('\n\n')}</p>
        </details>
      )}
      <Button variant="quiet" aria-label={`Discard: ${what}`} onClick={() => void discard()}>
        Discard
      </Button>
    </>
  );
}

/** The person's damaged drafts. */
export function UnreadableDrafts({ owner }: { owner: string | null }) {
  return <UnreadableList rows={useUnreadable(owner, 'draft')} />;
}
