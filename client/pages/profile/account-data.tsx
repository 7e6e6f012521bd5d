import { useState } from 'react';
import { saveExport } from '../../http/download.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Download, Trash } from '../../ui/icon.tsx';
import { toasts } from '../../ui/toast.tsx';
import { lazyPart } from '../lazy-part.ts';
import styles from './account-data.module.css';

const DeleteAccountDialog = lazyPart(
  async () => (await import('./delete-account-dialog.tsx')).DeleteAccountDialog,
);

/** What a person can take along, and the way out. */
export function AccountData() {
  const [isExporting, setExporting] = useState(false);
  const [isLeaving, setLeaving] = useState(false);

  const exportAll = async () => {
    setExporting(true);
    try {
      await saveExport();
    } catch {
      toasts.failure('Failed to download file. Please try again.');
    } finally {
      setExporting(false);
    }
  };

  return (
    <Card title="Your data">
      <div className={styles.card}>
        <section className={styles.part}>
          <h3>Take it with you</h3>
          <p>
            One ZIP file with your account, both of your capsule lists, and the messages and files
            of every capsule that has opened; a locked one is in it as you see it now, from outside.
          </p>
          <Button
            icon={<Download size={18} aria-hidden="true" />}
            busy={isExporting}
            busyLabel="Exporting..."
            onClick={() => void exportAll()}
          >
            Export as ZIP
          </Button>
        </section>
        <section className={styles.part}>
          <h3>Choose a new password</h3>
          <p>
            We mail you a link for it. A new password signs you out everywhere, on this device too.
          </p>
          <ButtonLink to="/auth/forgot-password">Change password</ButtonLink>
        </section>
        <section className={styles.part}>
          <h3>Leave for good</h3>
          <p>
            Deletes your account. What you have sealed for others still reaches them, or goes with
            you, as you choose.
          </p>
          <Button icon={<Trash size={18} aria-hidden="true" />} onClick={() => setLeaving(true)}>
            Delete account
          </Button>
        </section>
      </div>
      {isLeaving && <DeleteAccountDialog onClose={() => setLeaving(false)} />}
    </Card>
  );
}
