import type { Recipient } from '../../../shared/api/user.ts';
import { MESSAGE_MAX } from '../../../shared/limits.ts';
import { Counter, Field } from '../../components/field.tsx';
import { displayName, firstName } from '../format.ts';
import styles from './letter.module.css';

interface LetterProps {
  label: string;
  /** Of the field. */
  name: string;
  /** Whom it is for, as far as that is known: the empty sheet suggests how it may begin. */
  to: readonly Addressee[];
  prompt: string;
  value: string;
  readOnly: boolean;
  error: string | undefined;
  onChange: (text: string) => void;
}

/** The letter on its sheet of paper, which grows with the text. */
export function Letter(props: LetterProps) {
  const { label, name, to, prompt, value, readOnly, error, onChange } = props;
  return (
    <Field
      label={label}
      hidesLabel
      error={error}
      aside={<Counter length={value.length} max={MESSAGE_MAX} />}
    >
      {(ids) => (
        <div className={`stack ${styles.sheet}`}>
          <textarea
            {...ids}
            className={`serif large wide rounded ${styles.paper}`}
            dir="auto"
            name={name}
            placeholder={prompt}
            rows={12}
            value={value}
            readOnly={readOnly}
            onChange={({ target }) => onChange(target.value)}
          />
          {/* Stands in for the browser's own placeholder, which cannot have a salutation. */}
          {value === '' && (
            <div className={`serif large quiet ${styles.prompt}`} aria-hidden="true">
              <p>{salutation(to)}</p>
              <p>{prompt}</p>
            </div>
          )}
        </div>
      )}
    </Field>
  );
}

type Addressee = Pick<Recipient, 'name'> & Partial<Recipient>;

/** How a letter to these people may begin: 'Dear Mia,', 'Dear Mia and Tom,', 'Dear me,'. */
export function salutation(recipients: readonly Addressee[]): string {
  const others = recipients.filter(({ isYou }) => !isYou);
  if (others.length === 0) return recipients.length > 0 ? 'Dear me,' : 'Dear you,';
  // Of an invited person we may know the address only.
  const isNameless = ({ isInvited, name, email = '' }: Addressee) =>
    isInvited && name === displayName({ name: '', email });
  if (others.some(isNameless)) return others.length > 1 ? 'Dear all,' : 'Dear you,';
  return `Dear ${others.length > 2 ? 'all' : others.map(firstName).join(' and ')},`;
}
