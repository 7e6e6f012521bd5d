import { Link } from 'react-router-dom';
import { site } from '../shared/site.ts';
import styles from './app-footer.module.css';
import { ThemeChoice } from './app-theme-choice.tsx';
import { useToday } from './state/use-today.ts';

const COLUMNS = [
  {
    title: 'Product',
    links: [
      { to: '/', text: 'Home' },
      { to: '/dashboard', text: 'Dashboard' },
      { to: '/create', text: 'Create Capsule' },
    ],
  },
  {
    title: 'Support',
    links: [
      { to: '/help', text: 'Help Center' },
      { to: '/privacy', text: 'Privacy Policy' },
      { to: '/terms', text: 'Terms of Service' },
    ],
  },
];

export function Footer() {
  return (
    <footer className={styles.footer}>
      <div className={styles.columns}>
        <div className={styles.about}>
          <p className={styles.name}>{site.name}</p>
          <p>{site.tagline}</p>
        </div>
        {COLUMNS.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <h2>{title}</h2>
            <ul>
              {links.map(({ to, text }) => (
                <li key={to}>
                  <Link to={to}>{text}</Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <div>
          <h2>Connect</h2>
          <ul>
            {site.social.map(({ name, url }) => (
              <li key={url}>
                <a href={url} rel="noopener noreferrer" target="_blank">
                  {name}
                  <span className="visually-hidden"> (opens in a new tab)</span>
                </a>
              </li>
            ))}
            <li>
              <a href={`mailto:${site.contactEmail}`}>{site.contactEmail}</a>
            </li>
          </ul>
        </div>
      </div>
      <div className={styles.last}>
        <p>
          © <span className="stamp">{useToday().slice(0, 4)}</span> {site.name}. All rights
          reserved.
        </p>
        <ThemeChoice />
      </div>
    </footer>
  );
}
