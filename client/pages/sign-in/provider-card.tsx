import { useState } from 'react';
import { UNDO_DAYS } from '../../../shared/limits.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { toasts } from '../../components/toast.tsx';
import { useIdentity } from '../../hooks/provider.ts';
import { focusHeading } from '../focus.ts';
import { longDate } from '../format.ts';
import { Loaded } from '../loaded.tsx';
import { PasswordDialog } from '../password-dialog.tsx';
import styles from '../profile-part.module.css';

/** The person's account at the identity provider. */
export function ProviderCard({ provider }: { provider: string }) {
  const identity = useIdentity();
  const [step, setStep] = useState<'link' | 'unlink' | null>(null);
  const close = () => setStep(null);

  return (
    <Card title={provider}>
      <Loaded of={identity} what={`your account at ${provider}`}>
        {({ linkedAt }) => (
          <div className={styles.part}>
            {linkedAt ? (
              <p>
                Your account at {provider} signs you in here. It's linked since {longDate(linkedAt)}
                .
              </p>
            ) : (
              <p>
                Link your account at {provider}, and you can sign in here with it. Its email address
                may be another one.
              </p>
            )}
            <div className={styles.actions}>
              {linkedAt ? (
                <Button onClick={() => setStep('unlink')}>Unlink {provider}</Button>
              ) : (
                <Button onClick={() => setStep('link')}>Link {provider}</Button>
              )}
            </div>
          </div>
        )}
      </Loaded>
      {step === 'link' && (
        <PasswordDialog
          title={`Link ${provider}?`}
          submit={`Go to ${provider}`}
          send={({ password }) => identity.link(password)}
          onClose={close}
        >
          <p>
            You sign in there, and come back. We email all of your addresses, with a link that
            unlinks it for {UNDO_DAYS} days.
          </p>
        </PasswordDialog>
      )}
      {step === 'unlink' && (
        <PasswordDialog
          title={`Unlink ${provider}?`}
          submit="Unlink it"
          variant="danger"
          send={async ({ password }) => {
            await identity.unlink(password);
            close();
            toasts.success(`${provider} is unlinked.`);
            // The pressed button has become another one.
            focusHeading();
          }}
          onClose={close}
        >
          <p>Your account there won't sign you in here any more. It stays as it is there.</p>
        </PasswordDialog>
      )}
    </Card>
  );
}
