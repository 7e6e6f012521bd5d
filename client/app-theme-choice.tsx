import { useId } from 'react';
import styles from './app-theme-choice.module.css';
import { chooseTheme, type Theme, useTheme } from './state/theme.ts';
import { Monitor, Moon, Sun } from './ui/icon.tsx';

const CHOICES: readonly { theme: Theme; text: string; Mark: typeof Sun }[] = [
  { theme: 'system', text: 'System', Mark: Monitor },
  { theme: 'light', text: 'Light', Mark: Sun },
  { theme: 'dark', text: 'Dark', Mark: Moon },
];

export function ThemeChoice() {
  const chosen = useTheme();
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">Appearance</legend>
      {CHOICES.map(({ theme, text, Mark }) => (
        <label key={theme} className={styles.option}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={theme === chosen}
            onChange={() => chooseTheme(theme)}
          />
          <Mark size={16} aria-hidden="true" />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
