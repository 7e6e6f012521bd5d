import { useId } from 'react';
import styles from './switch.module.css';

interface SwitchProps {
  label: string;
  checked: boolean;
  disabled?: boolean;
  /** What follows from how it stands. Empty while there is nothing to say. */
  hint?: string;
  onChange: (checked: boolean) => void;
}

/** A switch that takes effect at once. */
export function Switch({ label, checked, disabled = false, hint, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className={`stack middle ${styles.choice}`}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className={styles.switch}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={`measure quiet small ${styles.hint}`} role="status">
          {hint}
        </p>
      )}
    </div>
  );
}
