import { useState } from 'react';
import { saveExport } from '../../api/download.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Download, Trash } from '../../components/icon.tsx';
import { Switch } from '../../components/switch.tsx';
import { madeCodes } from '../../hooks/made-codes.ts';
import { useExternalStore } from '../../hooks/store.ts';
import { chooseOnlyOnDevice, useOnlyOnDevice } from '../../hooks/use-account-drafts.ts';
import { useContact } from '../../hooks/use-contact.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { DRAFTS_FOLLOW } from '../draft-words.ts';
import { followDownload } from '../follow-download.ts';
import { ProfilePart } from '../profile-part.tsx';
import { useChoice } from '../use-choice.ts';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import styles from './settings.module.css';

/** Who gets into the account, and what becomes of what is in it. */
export function SafetyPage() {
  const { passwordsOff } = useContact();
  const { codes } = useExternalStore(madeCodes);
  return (
    <ProfilePart title="Safety">
      <Card title="Signing in">
        <div className="stack gap-24">
          <section className={`stack gap-12 to-start ${styles.part}`}>
            <p>
              {codes
                ? "You haven't saved your new recovery codes yet."
                : "See where you're signed in, add a passkey, and print recovery codes."}
            </p>
            <ButtonLink to="/profile/sign-in">See your sign-ins</ButtonLink>
          </section>
          {!passwordsOff && (
            <section className={`stack gap-12 to-start ${styles.part}`}>
              <p>
                A new password signs you out on all devices, including this one. We'll email you a
                link.
              </p>
              <ButtonLink to="/auth/forgot-password">Change password</ButtonLink>
            </section>
          )}
        </div>
      </Card>
      <Card title="People you've blocked">
        <div className={`stack gap-12 to-start ${styles.part}`}>
          <p>They aren't told, and you can unblock them at any time.</p>
          <ButtonLink to="/profile/people">See people</ButtonLink>
        </div>
      </Card>
      <DraftChoice />
      <AccountData />
    </ProfilePart>
  );
}

/** Whether new drafts stay on the device where they are begun. */
function DraftChoice() {
  const saved = useOnlyOnDevice(useUserId());
  const { choice: isOnlyHere = false, choose } = useChoice(saved);
  return (
    <Card title="Drafts">
      <Switch
        label="New drafts stay only on the device where you begin them"
        checked={isOnlyHere}
        disabled={saved === undefined}
        hint={isOnlyHere ? STAY : DRAFTS_FOLLOW}
        onChange={(isOn) => choose(isOn, () => chooseOnlyOnDevice(isOn))}
      />
    </Card>
  );
}

const STAY = 'Drafts you have begun stay as they are. You can still save each one to your account.';

/** Export and account deletion. */
function AccountData() {
  const [isExporting, setExporting] = useState(false);
  const [isLeaving, setLeaving] = useState(false);

  const exportAll = async () => {
    setExporting(true);
    await followDownload(saveExport());
    setExporting(false);
  };

  return (
    <Card title="Your data">
      <div className="stack gap-24">
        <section className={`stack gap-12 to-start ${styles.part}`}>
          <h3>Take it with you</h3>
          <p>
            One ZIP file with everything of yours that is open. Its “index.html” can be read without
            us, and prints as a book. Sealed capsules are listed, but stay sealed.
          </p>
          <Button
            icon={Download}
            busy={isExporting}
            busyLabel="Exporting..."
            onClick={() => void exportAll()}
          >
            Export as ZIP
          </Button>
        </section>
        <section className={`stack gap-12 to-start ${styles.part}`}>
          <h3>Delete your account</h3>
          <p>You decide whether capsules you sealed for others are still delivered.</p>
          <Button icon={Trash} onClick={() => setLeaving(true)}>
            Delete account
          </Button>
        </section>
      </div>
      {isLeaving && <DeleteAccountDialog onClose={() => setLeaving(false)} />}
    </Card>
  );
}
