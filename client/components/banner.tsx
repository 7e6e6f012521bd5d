import styles from './banner.module.css';
import { CircleAlert } from './icon.tsx';

interface BannerProps {
  /** Null hides the banner but keeps its live region. */
  message: string | null;
  onDismiss: () => void;
}

/** 'Error: {message}' with a Dismiss button. */
export function Banner({ message, onDismiss }: BannerProps) {
  return (
    <div role="alert">
      {message !== null && (
        <div className={`row gap-12 top ${styles.banner}`}>
          <CircleAlert className={`rigid red ${styles.mark}`} size={20} />
          <p className="grow">Error: {message}</p>
          <button
            type="button"
            className={`rigid target red strong rounded ${styles.dismiss}`}
            onClick={onDismiss}
          >
            Dismiss
          </button>
        </div>
      )}
    </div>
  );
}
