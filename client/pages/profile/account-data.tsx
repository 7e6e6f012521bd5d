import { useState } from 'react';
import { saveExport } from '../../api/download.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Download, Trash } from '../../components/icon.tsx';
import { toasts } from '../../components/toast.tsx';
import { useContact } from '../../hooks/use-contact.ts';
import styles from './account-data.module.css';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';

/** Export, password change and account deletion. */
export function AccountData() {
  const [isExporting, setExporting] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const { passwordsOff } = useContact();

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
            One ZIP file with your account, your drafts, both of your capsule lists, and the
            messages and files of every capsule that has opened. Open its “index.html” to read
            everything without us, or to print it as a book. Sealed capsules are listed, but stay
            sealed.
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
          <h3>Signing in</h3>
          <p>See where you're signed in, add a passkey, and print recovery codes.</p>
          <ButtonLink to="/profile/sign-in">See your sign-ins</ButtonLink>
        </section>
        <section className={styles.part}>
          <h3>People</h3>
          <p>See whom you've blocked, and unblock them.</p>
          <ButtonLink to="/profile/people">See people</ButtonLink>
        </section>
        {!passwordsOff && (
          <section className={styles.part}>
            <h3>Choose a new password</h3>
            <p>
              We'll email you a link. Changing your password signs you out on all devices, including
              this one.
            </p>
            <ButtonLink to="/auth/forgot-password">Change password</ButtonLink>
          </section>
        )}
        <section className={styles.part}>
          <h3>Delete your account</h3>
          <p>You decide whether capsules you sealed for others are still delivered.</p>
          <Button icon={<Trash size={18} aria-hidden="true" />} onClick={() => setLeaving(true)}>
            Delete account
          </Button>
        </section>
      </div>
      {isLeaving && <DeleteAccountDialog onClose={() => setLeaving(false)} />}
    </Card>
  );
}
