import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './switch.module.css';

interface SwitchProps extends Omit<ComponentProps<'input'>, 'id' | 'type' | 'onChange'> {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function Choice({
  label,
  hint,
  onChange,
  mark,
  ...input
}: SwitchProps & { role?: string; mark: string | undefined }) {
  const id = useId();
  return (
    <div className={styles.choice}>
      <input
        {...input}
        id={id}
        type="checkbox"
        className={mark}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A switch that takes effect at once. */
export function Switch(props: SwitchProps) {
  return <Choice {...props} role="switch" mark={styles.switch} />;
}

/** A checkbox that is sent with its form. */
export function Checkbox(props: SwitchProps) {
  return <Choice {...props} mark={styles.box} />;
}
