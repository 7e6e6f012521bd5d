import type { ReactNode } from 'react';
import styles from './people.module.css';

interface CheckLineProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** Something that is done as well. */
export function CheckLine({ checked, onChange, children }: CheckLineProps) {
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
