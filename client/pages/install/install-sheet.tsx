import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Upload } from '../../ui/icon.tsx';
import styles from './install-sheet.module.css';

/** How Safari on iPhone and iPad puts the app on the home screen, and why that is worth it. */
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
          Open Time Capsule from there and sign in once more: it keeps its own storage, apart from
          Safari.
        </li>
      </ol>
      <p>
        That storage keeps your drafts. Safari itself removes what a site has kept when it has not
        been visited for seven days.
      </p>
    </Dialog>
  );
}
