import { useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { deleteAccountSchema } from '../../../shared/api/delete-account.ts';
import type { OwnPassword } from '../../../shared/api/own-password.ts';
import { CallError, messageFrom } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FieldError, PasswordField } from '../../components/field.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { toasts } from '../../components/toast.tsx';
import { endAccount } from '../../hooks/sign-out.ts';
import { useAuth } from '../../hooks/use-session.ts';
import { checkForm, type FieldErrors, valuesOf } from '../check-form.ts';
import { focusFirstError } from '../focus.ts';
import { PasskeyInstead } from '../passkey-instead.tsx';
import styles from './account-data.module.css';

/** Says what is deleted, asks what happens to capsules for others, and asks for the password. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const email = useAuth().user?.email ?? '';
  const [password, setPassword] = useState('');
  const [capsules, setCapsules] = useState<CapsuleFate | null>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const refuse = (fields: FieldErrors, message: string | null) => {
    setErrors(fields);
    setFailure(message);
    focusFirstError(form.current);
  };

  /** @param prove what answers in place of the typed password */
  const leave = async (prove?: () => Promise<OwnPassword>) => {
    // Enter in a field submits the form even while the button is busy.
    if (busy) return;
    const typed = valuesOf(form.current, { password });
    setPassword(typed.password);
    const asked = prove ? { password: 'in its place' } : typed;
    const checked = checkForm(deleteAccountSchema, { ...asked, capsules });
    if (!checked.ok) return refuse(checked.errors, null);
    setBusy(true);
    setErrors({});
    setFailure(null);
    try {
      await endAccount({ ...checked.data, ...(prove && { password: await prove() }) });
      toasts.success('Your account has been deleted.');
      navigate('/');
    } catch (error) {
      setBusy(false);
      const fields = error instanceof CallError ? error.errors : {};
      const isPlaced = Boolean(fields.password || fields.capsules);
      refuse(fields, isPlaced ? null : messageFrom(error, 'Failed to delete your account'));
    }
  };

  return (
    <Dialog
      title="Delete your account?"
      onClose={busy ? () => undefined : onClose}
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="danger" busy={busy} busyLabel="Deleting...">
            Delete account
          </Button>
        </>
      }
    >
      <form
        id={formId}
        ref={form}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void leave();
        }}
      >
        <div>
          <p>You can't undo this. This deletes right away:</p>
          <ul>
            <li>your name, email address, bio and picture, and all your sessions;</li>
            <li>capsules you sealed for yourself alone, with their files;</li>
            <li>your place among the recipients of capsules that others sealed;</li>
            <li>drafts and unsent capsules on this device.</li>
          </ul>
        </div>
        <FateChoice
          value={capsules}
          error={errors.capsules}
          onChange={(fate) => {
            setCapsules(fate);
            setErrors(({ capsules: _, ...others }) => others);
          }}
        />
        {/* Hidden: tells a password manager which account is meant. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="Password"
          required
          name="password"
          autoComplete="current-password"
          enterKeyHint="done"
          hint="To confirm it's you."
          value={password}
          error={errors.password}
          onChange={({ target }) => {
            setPassword(target.value);
            setErrors(({ password: _, ...others }) => others);
          }}
        />
        <PasskeyInstead disabled={busy} onPress={(prove) => void leave(prove)} />
        <FormFailure message={failure} />
      </form>
    </Dialog>
  );
}

/** What happens to capsules for others when an account is deleted. */
type CapsuleFate = 'deliver' | 'destroy';

const FATES: readonly { value: CapsuleFate; label: string; hint: string }[] = [
  {
    value: 'deliver',
    label: 'Deliver them on their day',
    hint: 'They stay sealed until then, under your name but without your address. Nobody can take them back.',
  },
  {
    value: 'destroy',
    label: 'Destroy them',
    hint: 'They disappear for everyone, with their files, even those that have already opened.',
  },
];

interface FateChoiceProps {
  value: CapsuleFate | null;
  error: string | undefined;
  onChange: (fate: CapsuleFate) => void;
}

/** Neither is preselected, because both are permanent. */
function FateChoice({ value, error, onChange }: FateChoiceProps) {
  const id = useId();
  return (
    <fieldset className={styles.choices} aria-describedby={error ? `${id}-error` : undefined}>
      <legend>Capsules you sealed for others</legend>
      {FATES.map((fate) => (
        <label key={fate.value} className={styles.choice}>
          <input
            type="radio"
            name="capsules"
            value={fate.value}
            checked={value === fate.value}
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-${fate.value}`}
            aria-labelledby={`${id}-${fate.value}-label`}
            onChange={() => onChange(fate.value)}
          />
          <span>
            <strong id={`${id}-${fate.value}-label`}>{fate.label}</strong>
            <small id={`${id}-${fate.value}`}>{fate.hint}</small>
          </span>
        </label>
      ))}
      {error && <FieldError id={`${id}-error`} text={error} />}
    </fieldset>
  );
}
