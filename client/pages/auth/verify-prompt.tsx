import { useState } from 'react';
import { resendVerification } from '../../../shared/api/auth.ts';
import { VERIFICATION_LINK_HOURS } from '../../../shared/limits.ts';
import { call } from '../../api/client.ts';
import { messageFrom } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import styles from './auth-frame.module.css';

interface VerifyPromptProps {
  email: string;
  onClose: () => void;
}

/** Shown after the right password if the address is not confirmed. */
export function VerifyPrompt({ email, onClose }: VerifyPromptProps) {
  const [busy, setBusy] = useState(false);
  const [news, setNews] = useState('');

  const resend = async () => {
    setBusy(true);
    setNews('');
    try {
      await call(resendVerification, { body: { email } });
      setNews('Sent. It can take a minute to arrive.');
    } catch (error) {
      setNews(messageFrom(error, 'Failed to resend email. Please try again.'));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      title="Verify your email"
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" busy={busy} busyLabel="Sending…" onClick={resend}>
            Resend
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p>
          Your password is right. Before you can sign in, please open the link we emailed to{' '}
          <span className={styles.address}>{email}</span>.
        </p>
        <p className={styles.quiet}>
          It works for {VERIFICATION_LINK_HOURS} hours. Nothing there? Check your spam folder, or
          press Resend.
        </p>
        <p role="status">{news}</p>
      </div>
    </Dialog>
  );
}
