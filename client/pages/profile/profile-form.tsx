import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { avatarTexts, type CurrentUser, profileUpdateSchema } from '../../../shared/api/user.ts';
import { pickedKind } from '../../../shared/file-types.ts';
import { BIO_MAX, NAME_MAX } from '../../../shared/limits.ts';
import { messageFrom } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { TextArea, TextField } from '../../components/field.tsx';
import { CircleAlert, CircleCheck, Image } from '../../components/icon.tsx';
import { readTypedProfile, writeTypedProfile } from '../../db/snapshots.ts';
import { isSameProfile, saveAvatar, saveProfile } from '../../hooks/use-people.ts';
import { checkForm } from '../check-form.ts';
import { useAction } from '../use-action.ts';
import { useForm } from '../use-form.ts';

export function ProfileForm({ user }: { user: CurrentUser }) {
  const saved = { name: user.name, bio: user.bio };
  /** Null while the form has what is saved. */
  const [typed, setTyped] = useState(() => readTypedProfile(user.id));
  const { name, bio } = typed ?? saved;
  const isChanged = name !== user.name || bio !== user.bio;
  const unsaved = isChanged ? typed : null;
  useEffect(() => writeTypedProfile(user.id, unsaved), [user.id, unsaved]);
  const change = (next: (before: typeof saved) => typeof saved) =>
    setTyped((before) => {
      const after = next(before ?? saved);
      return isSameProfile(after, saved) ? null : after;
    });
  const [news, setNews] = useState<string | null>(null);
  const avatar = useAction(
    (image: File) => saveAvatar(user, image),
    (error) => messageFrom(error, 'Failed to upload avatar'),
  );
  const { props, failure, busy, field } = useForm([{ name, bio }, change], {
    check: (words) => checkForm(profileUpdateSchema, words),
    send: async (data, sent) => {
      setNews(null);
      await saveProfile(user, data);
      // Keep what was typed while the answer was on its way.
      setTyped((now) => (now && isSameProfile(now, sent) ? null : now));
      setNews(SAVED);
    },
    explain: (error) => messageFrom(error, 'Failed to update profile'),
  });

  return (
    <form
      {...props}
      className="stack gap-24"
      onChange={() => setNews(null)}
      onSubmit={(event) => {
        if (isChanged && !avatar.busy) props.onSubmit(event);
        else event.preventDefault();
      }}
    >
      <AvatarField upload={avatar} disabled={busy} />
      <TextField
        label="Display name"
        required
        autoComplete="name"
        enterKeyHint="done"
        max={NAME_MAX}
        counted
        {...field('name')}
      />
      <TextArea label="Bio" rows={4} max={BIO_MAX} counted {...field('bio')} />
      <TextField
        label="Email"
        type="email"
        value={user.email}
        readOnly
        hint={
          <>
            <Link to="/profile/addresses">Email address</Link> cannot be changed from this page
          </>
        }
      />
      <div className="cluster middle gap-12-16">
        <Button
          type="submit"
          variant="primary"
          disabled={(!isChanged && !busy) || avatar.busy}
          busy={busy}
          busyLabel="Saving..."
        >
          Save Changes
        </Button>
        {isChanged && !busy && (
          <Button
            variant="quiet"
            className="outdent"
            onClick={() => {
              setTyped(null);
              setNews(null);
            }}
          >
            Discard changes
          </Button>
        )}
        <News text={news ?? (isChanged ? 'Not saved yet.' : null)} isLast={!isChanged} />
        <p role="alert" className="silent row middle gap-8 red">
          {failure !== null && (
            <>
              <CircleAlert size={18} />
              {failure}
            </>
          )}
        </p>
      </div>
    </form>
  );
}

const SAVED = 'Profile updated successfully!';

/** Always rendered, because a live region must exist before its text appears. */
function News({ text, isLast }: { text: string | null; isLast: boolean }) {
  const news = useRef<HTMLParagraphElement>(null);
  const isDone = text === SAVED;
  // The Save button is disabled after saving and loses the focus, so move it.
  useEffect(() => {
    const isLost = document.activeElement?.matches('body, button:disabled');
    if (isDone && isLast && isLost) news.current?.focus();
  }, [isDone, isLast]);
  return (
    <p
      role="status"
      className={`silent row middle gap-8 ${isDone ? 'verdigris' : 'quiet'}`}
      ref={news}
      tabIndex={-1}
    >
      {isDone && <CircleCheck size={18} />}
      {text}
    </p>
  );
}

/** Why an image cannot be uploaded, or null. */
function avatarProblem(image: Pick<File, 'name' | 'type' | 'size'>): string | null {
  if (pickedKind(image) !== 'image') return avatarTexts.notAnImage;
  return image.size >= avatarTexts.maxBytes ? avatarTexts.tooLarge : null;
}

interface AvatarFieldProps {
  upload: { busy: boolean; failure: string | null; run: (image: File) => void };
  /** While the name is on its way, whose answer has the picture of before. */
  disabled: boolean;
}

function AvatarField({ upload, disabled }: AvatarFieldProps) {
  const id = useId();
  /** Why the last image was not sent; null when it was. */
  const [problem, setProblem] = useState<string | null>();
  const error = problem ?? upload.failure;
  const isSaved = problem === null && !upload.busy && error === null;

  return (
    <div className="stack gap-4 to-start">
      <input
        id={id}
        className="visually-hidden"
        type="file"
        accept="image/*"
        tabIndex={-1}
        aria-label="Avatar image"
        disabled={upload.busy || disabled}
        onChange={(event) => {
          const image = event.target.files?.[0];
          event.target.value = '';
          if (!image) return;
          const wrong = avatarProblem(image);
          setProblem(wrong);
          if (wrong === null) upload.run(image);
        }}
      />
      <Button
        icon={Image}
        busy={upload.busy}
        busyLabel="Uploading..."
        disabled={disabled}
        onClick={() => document.getElementById(id)?.click()}
      >
        Change avatar
      </Button>
      <p className="quiet small">An image under 5 MB.</p>
      <p role="status" className="silent verdigris small">
        {isSaved && 'Avatar updated.'}
      </p>
      <p role="alert" className="silent row gap-8 top red small">
        {error !== null && (
          <>
            <CircleAlert size={16} />
            {error}
          </>
        )}
      </p>
    </div>
  );
}
