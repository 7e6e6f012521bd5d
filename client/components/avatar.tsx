import { useState } from 'react';
import styles from './avatar.module.css';

/** Only an address that starts with http or with /uploads counts as an image. */
export function isImageAvatar(avatar: string): boolean {
  return /^(http|\/uploads)/.test(avatar);
}

interface AvatarProps {
  avatar: string;
  name: string;
  /** Pixels. */
  size?: number;
}

/** The person's image or initial. Decorative, because the name is next to it. */
export function Avatar({ avatar, name, size = 40 }: AvatarProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const box = { inlineSize: size, blockSize: size, fontSize: size * 0.42 };
  if (isImageAvatar(avatar) && failed !== avatar) {
    return (
      <img
        className={`centre rigid copper serif strong ${styles.avatar}`}
        src={avatar}
        alt=""
        width={size}
        height={size}
        style={box}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onError={() => setFailed(avatar)}
      />
    );
  }
  const text = isImageAvatar(avatar) ? '' : avatar.trim();
  const initial = [...(text || name.trim() || 'U')][0]?.toUpperCase();
  return (
    <span
      className={`centre rigid copper serif strong ${styles.avatar}`}
      style={box}
      aria-hidden="true"
    >
      {initial}
    </span>
  );
}
