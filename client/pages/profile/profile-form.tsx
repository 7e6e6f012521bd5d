import { useState } from 'react';
import { type CurrentUser, profileUpdateSchema } from '../../../shared/api/user.ts';
import { BIO_MAX, NAME_MAX } from '../../../shared/limits.ts';
import { CallError, messageFrom } from '../../http/call-error.ts';
import { saveProfile } from '../../state/profile.ts';
import { Button } from '../../ui/button.tsx';
import { CircleAlert, CircleCheck } from '../../ui/icon.tsx';
import { TextArea, TextField } from '../../ui/text-field.tsx';
import { AvatarField } from './avatar-field.tsx';
import styles from './profile-form.module.css';

type Errors = Partial<Record<'name' | 'bio', string>>;

type Outcome = { kind: 'saved' } | { kind: 'failed'; message: string };

export function ProfileForm({ user }: { user: CurrentUser }) {
  const [name, setName] = useState(user.name);
  const [bio, setBio] = useState(user.bio);
  const [errors, setErrors] = useState<Errors>({});
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isSaving, setSaving] = useState(false);
  const isChanged = name !== user.name || bio !== user.bio;

  const edit = (field: keyof Errors, set: (value: string) => void) => (value: string) => {
    set(value);
    setErrors((before) => ({ ...before, [field]: undefined }));
    setOutcome(null);
  };

  const save = async () => {
    const checked = profileUpdateSchema.safeParse({ name, bio });
    if (!checked.success) {
      setErrors(errorsOf(checked.error.issues));
      return;
    }
    setSaving(true);
    setOutcome(null);
    try {
      await saveProfile(user, checked.data);
      setName(checked.data.name);
      setBio(checked.data.bio);
      setOutcome({ kind: 'saved' });
    } catch (error) {
      const fields = error instanceof CallError ? error.errors : {};
      setErrors({ name: fields.name, bio: fields.bio });
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
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !isSaving) void save();
      }}
    >
      <AvatarField user={user} />
      <TextField
        label="Display name"
        name="name"
        autoComplete="name"
        max={NAME_MAX}
        value={name}
        error={errors.name}
        onChange={(event) => edit('name', setName)(event.target.value)}
      />
      <TextArea
        label="Bio"
        name="bio"
        rows={4}
        max={BIO_MAX}
        value={bio}
        error={errors.bio}
        onChange={(event) => edit('bio', setBio)(event.target.value)}
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
          disabled={!isChanged && !isSaving}
          busy={isSaving}
          busyLabel="Saving..."
        >
          Save Changes
        </Button>
        <Result outcome={outcome} />
      </div>
    </form>
  );
}

/** Its live regions stand there before they speak. */
function Result({ outcome }: { outcome: Outcome | null }) {
  return (
    <>
      <p role="status" className={styles.saved}>
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
