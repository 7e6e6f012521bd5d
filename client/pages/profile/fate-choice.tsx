import { useId } from 'react';
import { CircleAlert } from '../../ui/icon.tsx';
import styles from './account-data.module.css';

/** What becomes of the capsules that a person has sealed for others and leaves behind. */
export type CapsuleFate = 'deliver' | 'destroy';

const FATES: readonly { value: CapsuleFate; label: string; hint: string }[] = [
  {
    value: 'deliver',
    label: 'Deliver them on their day',
    hint: 'They stay sealed until then and keep your name, without your address. Nobody can call them back.',
  },
  {
    value: 'destroy',
    label: 'Destroy them',
    hint: 'They disappear for everyone, with their files; those that have opened already, too.',
  },
];

interface FateChoiceProps {
  value: CapsuleFate | null;
  error: string | undefined;
  onChange: (fate: CapsuleFate) => void;
}

/** Neither is chosen beforehand: both are for ever. */
export function FateChoice({ value, error, onChange }: FateChoiceProps) {
  const id = useId();
  return (
    <fieldset className={styles.choices} aria-describedby={error ? `${id}-error` : undefined}>
      <legend>Capsules you sealed for others</legend>
      {FATES.map((fate) => (
        <label key={fate.value} className={styles.choice}>
          <input
            type="radio"
            name="capsules"
            value={fate.value}
            checked={value === fate.value}
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-${fate.value}`}
            aria-labelledby={`${id}-${fate.value}-label`}
            onChange={() => onChange(fate.value)}
          />
          <span>
            <strong id={`${id}-${fate.value}-label`}>{fate.label}</strong>
            <small id={`${id}-${fate.value}`}>{fate.hint}</small>
          </span>
        </label>
      ))}
      {error && (
        <p className={styles.error} id={`${id}-error`}>
          <CircleAlert size={16} aria-hidden="true" />
          {error}
        </p>
      )}
    </fieldset>
  );
}
