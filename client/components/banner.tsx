import styles from './banner.module.css';
import { CircleAlert, Info } from './icon.tsx';

interface BannerProps {
  /** Null hides the banner but keeps its live region. */
  message: string | null;
  /** Nothing has failed. */
  isNews?: boolean;
  onDismiss: () => void;
}

/** 'Error: {message}' with a Dismiss button, or news. */
export function Banner({ message, isNews = false, onDismiss }: BannerProps) {
  const Mark = isNews ? Info : CircleAlert;
  const [color, border] = isNews ? ['', styles.news] : ['red', ''];
  return (
    <div role={isNews ? 'status' : 'alert'}>
      {message !== null && (
        <div className={`row gap-12 top ${styles.banner} ${border}`}>
          <Mark className={`rigid ${color} ${styles.mark}`} size={20} />
          <p className="grow">
            {!isNews && 'Error: '}
            {message}
          </p>
          <button
            type="button"
            className={`rigid target ${color} strong rounded ${styles.dismiss}`}
            onClick={onDismiss}
          >
            Dismiss
          </button>
        </div>
      )}
    </div>
  );
}
