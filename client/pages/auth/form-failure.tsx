import { CircleAlert } from '../../ui/icon.tsx';
import styles from './auth-frame.module.css';

/** What the server refused, above the form; read out as soon as it appears. */
export function FormFailure({ message }: { message: string | null }) {
  return (
    <div role="alert">
      {message !== null && (
        <p className={styles.failure}>
          <CircleAlert size={18} aria-hidden="true" />
          {message}
        </p>
      )}
    </div>
  );
}
