import { ButtonLink } from '../../components/button.tsx';
import styles from './not-found-page.module.css';

export function NotFoundPage() {
  return (
    <main className={`stack gap-16 centred ${styles.page}`}>
      <RingDigits />
      <h1 className={styles.words}>
        <span className="visually-hidden">404: </span>This page does not exist
      </h1>
      <p className="quiet">
        Nothing is buried here. The address may be mistyped, or the page has moved since the link
        was made.
      </p>
      <ButtonLink to="/" variant="primary">
        Back to Home
      </ButtonLink>
    </main>
  );
}

/** The digit 4 as parallel lines, like wood grain. */
const FOUR = 'M62 8 L14 92 H92 M68 56 V136';
const RADII = [8, 20, 32, 44, 56];

/** A large 404 with tree rings as its zero. */
function RingDigits() {
  return (
    <svg className={styles.digits} viewBox="0 0 360 144" aria-hidden="true">
      <path d={FOUR} />
      <g className={styles.zero}>
        {RADII.map((radius) => (
          <ellipse key={radius} cx="180" cy="72" rx={radius} ry={radius * 1.12} />
        ))}
      </g>
      <path d={FOUR} transform="translate(256 0)" />
    </svg>
  );
}
