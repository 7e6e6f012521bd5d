import type { ReactNode } from 'react';
import { arcPath, growRings } from '../../../shared/seal-geometry.ts';
import { usePageTitle } from '../../components/page-title.ts';
import styles from './auth-frame.module.css';

/** One card; where there is room, still rings beside it. */
export function AuthFrame({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <div className={`stack gap-48 middle ${styles.frame}`}>
      <StillRings />
      <section className={`stack gap-24 sheet silent ${styles.card}`}>
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </section>
    </div>
  );
}

/** Said where the address of a page has no token: a mail program has cut it off, or not all was copied. */
export const INCOMPLETE_LINK =
  'Part of it is missing. Please open the link in the email again, or copy all of it.';

/** In place of a page to which a link in an email leads. @param children what else can be done */
export function IncompleteLink({ children }: { children?: ReactNode }) {
  return (
    <AuthFrame title="This link isn't complete">
      <p>{INCOMPLETE_LINK}</p>
      {children && <div className="cluster gap-12 sharing">{children}</div>}
    </AuthFrame>
  );
}

const RINGS = growRings('still rings', 12, 8);

/** Tree rings in fine lines. Decorative. */
function StillRings() {
  return (
    <svg className={styles.rings} viewBox="0 0 160 160" aria-hidden="true">
      {RINGS.map((ring) => (
        <path key={ring.radius} d={arcPath(ring, 0, 1)} strokeWidth={ring.gap * 0.11} />
      ))}
    </svg>
  );
}
