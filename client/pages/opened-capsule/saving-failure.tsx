import { Button } from '../../components/button.tsx';
import { CircleAlert } from '../../components/icon.tsx';
import styles from './files.module.css';
import type { Saving } from './use-saving.ts';

/** The pressed button may be far away from the message. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

/** Shown inside the dialog: a message behind it could be neither read nor dismissed. */
export function SavingFailure({ saving }: { saving: Pick<Saving, 'failed' | 'dismiss'> }) {
  return (
    <div role="alert" className={styles.alert}>
      {saving.failed.length > 0 && (
        <div className={styles.failed} ref={bringIntoView}>
          <CircleAlert size={18} aria-hidden="true" />
          <div>
            <p>Failed to download file. Please try again.</p>
            <p className={styles.names}>{saving.failed.join(', ')}</p>
          </div>
          <Button variant="quiet" onClick={saving.dismiss}>
            Dismiss
          </Button>
        </div>
      )}
    </div>
  );
}
