import { useId } from 'react';
import styles from './switch.module.css';

interface SwitchProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A switch that takes effect at once. */
export function Switch({ label, checked, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className={styles.choice}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className={styles.switch}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
    </div>
  );
}
