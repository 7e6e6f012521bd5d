import { Link } from 'react-router-dom';
import { ArrowLeft } from '../components/icon.tsx';
import styles from './back-link.module.css';

/** Leads from a page to the one above it. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className={`target strong inline-row gap-8 ${styles.back}`}>
      <ArrowLeft size={18} />
      {children}
    </Link>
  );
}
