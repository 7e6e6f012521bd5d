import { useEffect, useRef, useState } from 'react';
import { type CurrentUser, profileUpdateSchema } from '../../../shared/api/user.ts';
import { BIO_MAX, NAME_MAX } from '../../../shared/limits.ts';
import { CallError, messageFrom } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { CircleAlert, CircleCheck } from '../../components/icon.tsx';
import { TextArea, TextField } from '../../components/text-field.tsx';
import { saveProfile } from '../../hooks/use-people.ts';
import { useSavedForm } from '../../hooks/use-saved-form.ts';
import { focusFirstError } from '../focus.ts';
import { AvatarField } from './avatar-field.tsx';
import styles from './profile-form.module.css';

type Errors = Partial<Record<'name' | 'bio', string>>;

type Outcome = { kind: 'saved' } | { kind: 'failed'; message: string };

export function ProfileForm({ user }: { user: CurrentUser }) {
  const saved = { name: user.name, bio: user.bio };
  const [{ name, bio }, setTyped] = useSavedForm(`profile ${user.id}`, saved);
  const [errors, setErrors] = useState<Errors>({});
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isSaving, setSaving] = useState(false);
  const [isUploading, setUploading] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isChanged = name !== user.name || bio !== user.bio;

  const edit = (field: 'name' | 'bio') => (event: { target: { value: string } }) => {
    setTyped({ name, bio, [field]: event.target.value });
    setErrors((before) => ({ ...before, [field]: undefined }));
    setOutcome(null);
  };

  const save = async () => {
    const checked = profileUpdateSchema.safeParse({ name, bio });
    if (!checked.success) {
      setErrors(errorsOf(checked.error.issues));
      focusFirstError(form.current);
      return;
    }
    setSaving(true);
    setOutcome(null);
    try {
      await saveProfile(user, checked.data);
      // Keep what was typed while the answer was on its way.
      setTyped((typed) => (typed.name === name && typed.bio === bio ? checked.data : typed));
      setOutcome({ kind: 'saved' });
    } catch (error) {
      const fields = error instanceof CallError ? error.errors : {};
      setErrors({ name: fields.name, bio: fields.bio });
      focusFirstError(form.current);
      if (!fields.name && !fields.bio) {
        setOutcome({ kind: 'failed', message: messageFrom(error, 'Failed to update profile') });
      }
    } finally {
      setSaving(false);
    }
  };

  return (
    <form
      className={styles.form}
      noValidate
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !isSaving && !isUploading) void save();
      }}
    >
      <AvatarField user={user} onBusy={setUploading} />
      <TextField
        label="Display name"
        required
        name="name"
        autoComplete="name"
        enterKeyHint="done"
        max={NAME_MAX}
        value={name}
        error={errors.name}
        onChange={edit('name')}
      />
      <TextArea
        label="Bio"
        name="bio"
        rows={4}
        max={BIO_MAX}
        value={bio}
        error={errors.bio}
        onChange={edit('bio')}
      />
      <TextField
        label="Email"
        type="email"
        value={user.email}
        readOnly
        hint="Email address cannot be changed from this page"
      />
      <div className={styles.foot}>
        <Button
          type="submit"
          variant="primary"
          disabled={(!isChanged && !isSaving) || isUploading}
          busy={isSaving}
          busyLabel="Saving..."
        >
          Save Changes
        </Button>
        <Result outcome={outcome} isLast={!isChanged} />
      </div>
    </form>
  );
}

/** Always rendered, because a live region must exist before its text appears. */
function Result({ outcome, isLast }: { outcome: Outcome | null; isLast: boolean }) {
  const saved = useRef<HTMLParagraphElement>(null);
  // The Save button is disabled after saving and loses the focus, so move it.
  useEffect(() => {
    const isLost = document.activeElement?.matches('body, button:disabled');
    if (outcome?.kind === 'saved' && isLast && isLost) saved.current?.focus();
  }, [outcome, isLast]);
  return (
    <>
      <p role="status" className={styles.saved} ref={saved} tabIndex={-1}>
        {outcome?.kind === 'saved' && (
          <>
            <CircleCheck size={18} aria-hidden="true" />
            Profile updated successfully!
          </>
        )}
      </p>
      <p role="alert" className={styles.failed}>
        {outcome?.kind === 'failed' && (
          <>
            <CircleAlert size={18} aria-hidden="true" />
            {outcome.message}
          </>
        )}
      </p>
    </>
  );
}

function errorsOf(issues: readonly { path: PropertyKey[]; message: string }[]): Errors {
  const first = (field: string) => issues.find(({ path }) => path[0] === field)?.message;
  return { name: first('name'), bio: first('bio') };
}
