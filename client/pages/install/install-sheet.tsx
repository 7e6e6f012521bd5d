import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Upload } from '../../components/icon.tsx';
import styles from './install-sheet.module.css';

/** How to add the app to the home screen in Safari on iPhone and iPad, and why. */
export function InstallSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      size="small"
      title="Add to your Home Screen"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <ol className={styles.steps}>
        <li>
          Touch <Upload size={18} aria-hidden="true" /> <strong>Share</strong> in Safari's bar.
        </li>
        <li>
          Choose <strong>Add to Home Screen</strong>.
        </li>
        <li>
          Open Time Capsule from there and sign in once more. Its storage is separate from Safari's.
        </li>
      </ol>
      <p>
        Your drafts are safe there. Safari itself deletes a site's data after seven days without a
        visit.
      </p>
    </Dialog>
  );
}
