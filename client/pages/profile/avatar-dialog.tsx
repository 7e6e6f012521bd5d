import { useState } from 'react';
import type { CurrentUser } from '../../../shared/api/user.ts';
import { Avatar, isImageAvatar } from '../../components/avatar.tsx';
import { Dialog } from '../../components/dialog.tsx';
import styles from './avatar-dialog.module.css';

interface AvatarDialogProps {
  user: CurrentUser;
  open: boolean;
  onClose: () => void;
}

export function AvatarDialog({ user, open, onClose }: AvatarDialogProps) {
  const [failed, setFailed] = useState<string | null>(null);
  return (
    <Dialog open={open} title="Your avatar" size="medium" onClose={onClose}>
      <div className={styles.frame}>
        {!isImageAvatar(user.avatar) && <Avatar avatar={user.avatar} name={user.name} size={240} />}
        {isImageAvatar(user.avatar) && failed !== user.avatar && (
          <img
            className={styles.image}
            src={user.avatar}
            alt={`Avatar of ${user.name}`}
            referrerPolicy="no-referrer"
            onError={() => setFailed(user.avatar)}
          />
        )}
        {failed === user.avatar && <p role="alert">Failed to load image</p>}
        <p className={styles.hint}>Click outside or press ESC to close</p>
      </div>
    </Dialog>
  );
}
