import { useEffect, useId, useRef, useState } from 'react';
import { avatarTexts, type CurrentUser, profileUpdateSchema } from '../../../shared/api/user.ts';
import { pickedKind } from '../../../shared/file-types.ts';
import { BIO_MAX, NAME_MAX } from '../../../shared/limits.ts';
import { CallError, messageFrom } from '../../api/errors.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { TextArea, TextField } from '../../components/field.tsx';
import { CircleAlert, CircleCheck, Image } from '../../components/icon.tsx';
import { saveAvatar, saveProfile } from '../../hooks/use-people.ts';
import { useSavedForm } from '../../hooks/use-saved-form.ts';
import { checkForm, valuesOf } from '../check-form.ts';
import { focusFirstError } from '../focus.ts';
import styles from './profile-form.module.css';

type Outcome = { kind: 'saved' } | { kind: 'failed'; message: string };

export function ProfileForm({ user }: { user: CurrentUser }) {
  const saved = { name: user.name, bio: user.bio };
  const [typed, setTyped] = useSavedForm(`profile ${user.id}`, saved);
  const { name, bio } = typed;
  const [errors, setErrors] = useState<Record<string, string | undefined>>({});
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
    const { name, bio } = valuesOf(form.current, typed);
    setTyped({ name, bio });
    const checked = checkForm(profileUpdateSchema, { name, bio });
    if (!checked.ok) {
      setErrors(checked.errors);
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
        counted
        value={name}
        error={errors.name}
        onChange={edit('name')}
      />
      <TextArea
        label="Bio"
        name="bio"
        rows={4}
        max={BIO_MAX}
        counted
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

/** Why an image cannot be uploaded, or null. */
function avatarProblem(image: Pick<File, 'name' | 'type' | 'size'>): string | null {
  if (pickedKind(image) !== 'image') return avatarTexts.notAnImage;
  return image.size >= avatarTexts.maxBytes ? avatarTexts.tooLarge : null;
}

interface AvatarFieldProps {
  user: CurrentUser;
  /** Called when an upload starts and ends. */
  onBusy: (isBusy: boolean) => void;
}

function AvatarField({ user, onBusy }: AvatarFieldProps) {
  const id = useId();
  const [isUploading, setUploading] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const upload = async (image: File) => {
    const problem = avatarProblem(image);
    setError(problem);
    setSaved(false);
    if (problem !== null) return;
    setUploading(true);
    onBusy(true);
    try {
      await saveAvatar(user, image);
      setSaved(true);
    } catch (failure) {
      setError(messageFrom(failure, 'Failed to upload avatar'));
    } finally {
      setUploading(false);
      onBusy(false);
    }
  };

  return (
    <div className={styles.avatar}>
      <Avatar avatar={user.avatar} name={user.name} size={72} />
      <div className={styles.side}>
        <input
          id={id}
          className="visually-hidden"
          type="file"
          accept="image/*"
          tabIndex={-1}
          aria-label="Avatar image"
          disabled={isUploading}
          onChange={(event) => {
            const image = event.target.files?.[0];
            event.target.value = '';
            if (image) void upload(image);
          }}
        />
        <Button
          icon={<Image size={18} aria-hidden="true" />}
          busy={isUploading}
          busyLabel="Uploading..."
          onClick={() => document.getElementById(id)?.click()}
        >
          Change avatar
        </Button>
        <p className={styles.hint}>An image under 5 MB.</p>
        <p role="status" className={styles.avatarSaved}>
          {isSaved && 'Avatar updated.'}
        </p>
        <p role="alert" className={styles.avatarFailed}>
          {error !== null && (
            <>
              <CircleAlert size={16} aria-hidden="true" />
              {error}
            </>
          )}
        </p>
      </div>
    </div>
  );
}
