import { Button } from '../../ui/button.tsx';
import { CircleAlert } from '../../ui/icon.tsx';
import styles from './opened-files.module.css';
import type { Saving } from './opened-saving.ts';

/** The button that was pressed may be far from where the message stands. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

/** Inside the dialog it is about: a message behind it could be neither read nor dismissed. */
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
