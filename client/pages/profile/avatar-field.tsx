import { useId, useState } from 'react';
import { avatarTexts, type CurrentUser } from '../../../shared/api/user.ts';
import { messageFrom } from '../../api/errors.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { CircleAlert, Image } from '../../components/icon.tsx';
import { saveAvatar } from '../../hooks/use-people.ts';
import styles from './avatar-field.module.css';

/** Why an image cannot be uploaded, or null. */
export function avatarProblem(image: Pick<File, 'type' | 'size'>): string | null {
  if (!image.type.startsWith('image/')) return avatarTexts.notAnImage;
  return image.size >= avatarTexts.maxBytes ? avatarTexts.tooLarge : null;
}

interface AvatarFieldProps {
  user: CurrentUser;
  /** Called when an upload starts and ends. */
  onBusy: (isBusy: boolean) => void;
}

export function AvatarField({ user, onBusy }: AvatarFieldProps) {
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
    <div className={styles.field}>
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
        <p role="status" className={styles.saved}>
          {isSaved && 'Avatar updated.'}
        </p>
        <p role="alert" className={styles.error}>
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
