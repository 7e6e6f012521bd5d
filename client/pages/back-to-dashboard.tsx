import { Link } from 'react-router-dom';
import { ArrowLeft } from '../components/icon.tsx';
import styles from './back-to-dashboard.module.css';

export function BackToDashboard() {
  return (
    <Link to="/dashboard" className={styles.back}>
      <ArrowLeft size={18} aria-hidden="true" />
      Back to Dashboard
    </Link>
  );
}
