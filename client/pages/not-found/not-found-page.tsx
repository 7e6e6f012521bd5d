import { ButtonLink } from '../../components/button.tsx';
import styles from './not-found-page.module.css';
import { RingDigits } from './ring-digits.tsx';

export function NotFoundPage() {
  return (
    <main className={styles.page}>
      <RingDigits />
      <h1 className={styles.words}>
        <span className="visually-hidden">404: </span>This page does not exist
      </h1>
      <p>
        Nothing is buried here. The address may be mistyped, or the page has moved since the link
        was made.
      </p>
      <ButtonLink to="/" variant="primary">
        Back to Home
      </ButtonLink>
    </main>
  );
}
