import { useId } from 'react';
import { CircleAlert } from '../../components/icon.tsx';
import styles from './account-data.module.css';

/** What happens to capsules for others when an account is deleted. */
export type CapsuleFate = 'deliver' | 'destroy';

const FATES: readonly { value: CapsuleFate; label: string; hint: string }[] = [
  {
    value: 'deliver',
    label: 'Deliver them on their day',
    hint: 'They stay sealed until then, under your name but without your address. Nobody can take them back.',
  },
  {
    value: 'destroy',
    label: 'Destroy them',
    hint: 'They disappear for everyone, with their files, even those that have already opened.',
  },
];

interface FateChoiceProps {
  value: CapsuleFate | null;
  error: string | undefined;
  onChange: (fate: CapsuleFate) => void;
}

/** Neither is preselected, because both are permanent. */
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
