import { useId } from 'react';
import { Link } from 'react-router-dom';
import { site } from '../../shared/site.ts';
import { Monitor, Moon, Sun } from '../components/icon.tsx';
import { OutsideLink } from '../components/outside-link.tsx';
import { siteName } from '../components/site-name.ts';
import { chooseTheme, type Theme, useTheme } from '../hooks/theme.ts';
import { useContact } from '../hooks/use-contact.ts';
import { useToday } from '../hooks/use-now.ts';
import styles from './footer.module.css';

const COLUMNS = [
  {
    title: 'Product',
    links: [
      { to: '/', text: 'Home' },
      { to: '/dashboard', text: 'Dashboard' },
      { to: '/create', text: 'Create Capsule' },
      { to: '/profile', text: 'Profile' },
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
  const { email, links, imprintUrl, termsUrl } = useContact();
  return (
    <footer className={`line-above quiet ${styles.footer}`}>
      <div className={`page-width stack ${styles.columns}`}>
        <div className={styles.about}>
          <p className={styles.name}>{siteName()}</p>
          <p>{site.tagline}</p>
        </div>
        {COLUMNS.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <h2>{title}</h2>
            <ul>
              {links.map(({ to, text }) => (
                <li key={to}>
                  {to === '/terms' && termsUrl ? (
                    <OutsideLink url={termsUrl}>{text}</OutsideLink>
                  ) : (
                    <Link to={to}>{text}</Link>
                  )}
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <div>
          <h2>Connect</h2>
          <ul>
            {links.map(({ name, url }) => (
              <li key={url}>
                <OutsideLink url={url}>{name}</OutsideLink>
              </li>
            ))}
            <li>
              <a href={`mailto:${email}`}>{email}</a>
            </li>
            {imprintUrl && (
              <li>
                <OutsideLink url={imprintUrl}>Imprint</OutsideLink>
              </li>
            )}
          </ul>
        </div>
      </div>
      <div className={`page-width cluster middle gap-16 spread small ${styles.last}`}>
        <p>
          © <span className="stamp">{useToday().slice(0, 4)}</span> {siteName()}. All rights
          reserved.
        </p>
        <ThemeChoice />
      </div>
    </footer>
  );
}

const CHOICES: readonly { theme: Theme; text: string; Mark: typeof Sun }[] = [
  { theme: 'system', text: 'System', Mark: Monitor },
  { theme: 'light', text: 'Light', Mark: Sun },
  { theme: 'dark', text: 'Dark', Mark: Moon },
];

function ThemeChoice() {
  const chosen = useTheme();
  const name = useId();
  return (
    <fieldset className="cluster narrows outlined rounded">
      <legend className="visually-hidden">Appearance</legend>
      {CHOICES.map(({ theme, text, Mark }) => (
        <label key={theme} className={`row middle gap-6 target ringed holds ${styles.option}`}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={theme}
            // Firefox would restore an older choice at a reload.
            autoComplete="off"
            checked={theme === chosen}
            onChange={() => chooseTheme(theme)}
          />
          <Mark size={16} />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
