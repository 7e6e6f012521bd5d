import { answerNewPassword } from '../../../shared/api/addresses.ts';
import { restoreByLink } from '../../../shared/api/bin.ts';
import { undoIdentity } from '../../../shared/api/undo-identity.ts';
import { undoPasskey } from '../../../shared/api/undo-passkey.ts';
import { BIN_DAYS, PASSWORD_WAITS_DAYS, UNDO_DAYS } from '../../../shared/limits.ts';
import { call } from '../../api/client.ts';
import { ButtonLink } from '../../components/button.tsx';
import { checkSession } from '../../hooks/check-session.ts';
import { useContact } from '../../hooks/use-contact.ts';
import { EmailLink, ToAddresses, ToPage } from './email-link.tsx';

export function NewPasswordPage() {
  return (
    <EmailLink
      title="Was this you?"
      text={`Somebody chose a new password for your account, with a link we sent to another address of yours. Without your answer, it takes effect after ${PASSWORD_WAITS_DAYS} days.`}
      answers={[
        {
          label: 'Yes, it was me',
          busyLabel: 'Confirming…',
          async send(token) {
            await call(answerNewPassword, { body: { token, isMine: true } });
            await checkSession();
            return {
              title: 'Your new password works now',
              text: 'Thank you. You can sign in with it.',
              next: <ButtonLink to="/auth">Go to Login</ButtonLink>,
            };
          },
        },
        {
          label: 'No, stop it',
          busyLabel: 'Stopping…',
          async send(token) {
            await call(answerNewPassword, { body: { token, isMine: false } });
            return {
              title: 'New password stopped',
              text: 'Your old password still works. Somebody else can read the emails at that other address, so please replace it.',
              next: <ToAddresses />,
            };
          },
        },
      ]}
      invalid={{
        text: "It may have been answered, or the new password has taken effect. If you can't sign in any more, choose a new one.",
        next: <ButtonLink to="/auth/forgot-password">Choose a new password</ButtonLink>,
      }}
    />
  );
}

/** What helps against whoever knew the password. */
const NEXT_PASSWORD = (
  <>
    <ButtonLink to="/auth/forgot-password">Set a new password</ButtonLink>
    <ButtonLink to="/auth">Go to Login</ButtonLink>
  </>
);

/** Where "Remove the passkey" in the email about a new one leads. */
export function UndoPasskeyPage() {
  return (
    <EmailLink
      title="Remove this passkey?"
      text="It won't sign anybody in any more, and every device will be signed out."
      answers={[
        {
          label: 'Remove the passkey',
          busyLabel: 'Removing…',
          async send(token) {
            await call(undoPasskey, { body: { token } });
            await checkSession();
            return {
              title: 'Passkey removed',
              text: "Every device is signed out. Whoever added it knew your password, or has a passkey of yours. If that wasn't you, set a new password now.",
              next: NEXT_PASSWORD,
            };
          },
        },
      ]}
      otherwise={<ButtonLink to="/">Keep it</ButtonLink>}
      invalid={{
        text: `The passkey is removed already, or was added more than ${UNDO_DAYS} days ago. You see all of yours where you sign in.`,
        next: <ToPage to="/profile/sign-in">See your passkeys</ToPage>,
      }}
    />
  );
}

/** Where "Unlink it" in the email about another way to sign in leads. */
export function UndoIdentityPage() {
  const { provider = 'The other account' } = useContact();
  return (
    <EmailLink
      title={`Unlink ${provider}?`}
      text="It won't sign anybody in here any more, and every device will be signed out."
      answers={[
        {
          label: 'Unlink it',
          busyLabel: 'Unlinking…',
          async send(token) {
            await call(undoIdentity, { body: { token } });
            await checkSession();
            return {
              title: `${provider} unlinked`,
              text: "Every device is signed out. Whoever linked it knew your password, or has a passkey of yours. If that wasn't you, set a new password now.",
              next: NEXT_PASSWORD,
            };
          },
        },
      ]}
      otherwise={<ButtonLink to="/">Keep it</ButtonLink>}
      invalid={{
        text: `It is unlinked already, or was linked more than ${UNDO_DAYS} days ago. You see what signs you in on your page of sign-ins.`,
        next: <ToPage to="/profile/sign-in">See your sign-ins</ToPage>,
      }}
    />
  );
}

/** Where "Bring it back" in the email about a deleted capsule leads. */
export function RestoreCapsulePage() {
  return (
    <EmailLink
      title="Bring this capsule back?"
      text="It will be as it was, for everyone it's addressed to."
      answers={[
        {
          label: 'Bring it back',
          busyLabel: 'Bringing it back…',
          async send(token) {
            const { message } = await call(restoreByLink, { body: { token } });
            return {
              title: 'Capsule restored',
              text: `${message} If you didn't delete it yourself, set a new password. That signs out every device.`,
              next: (
                <>
                  <ToPage to="/dashboard">Go to your dashboard</ToPage>
                  <ButtonLink to="/auth/forgot-password">Set a new password</ButtonLink>
                </>
              ),
            };
          },
        },
      ]}
      otherwise={<ButtonLink to="/">Leave it in the bin</ButtonLink>}
      invalid={{
        text: `The capsule is back already, or it was deleted more than ${BIN_DAYS} days ago. Your bin says what can still be brought back.`,
        next: <ToPage to="/dashboard/bin">See your bin</ToPage>,
      }}
    />
  );
}
