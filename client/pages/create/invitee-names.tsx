import { useState } from 'react';
import { nameField } from '../../../shared/api/fields.ts';
import { NAME_MAX } from '../../../shared/limits.ts';
import { isBlank } from '../../../shared/visible-text.ts';
import { TextField } from '../../components/field.tsx';
import type { ChosenRecipient } from '../../db/tables.ts';
import type { FieldErrors } from '../check-form.ts';
import { displayName } from '../format.ts';

/** The errors of given names, by address. */
export function useNameErrors() {
  const [errors, setErrors] = useState<FieldErrors>({});
  return {
    errors,
    forget: () => setErrors({}),
    /** @returns whether all names can be sent; else the errors say what is wrong */
    areRight: (selected: readonly ChosenRecipient[]): boolean => {
      const found: FieldErrors = {};
      for (const { email, givenName = '' } of selected) {
        if (isBlank(givenName)) continue;
        const { error } = nameField.safeParse(givenName);
        const [issue] = error?.issues ?? [];
        if (issue) found[email] = issue.message;
      }
      setErrors(found);
      return Object.keys(found).length === 0;
    },
  };
}

interface InviteeNamesProps {
  selected: readonly ChosenRecipient[];
  errors: FieldErrors;
  onChange: (selected: readonly ChosenRecipient[]) => void;
}

/** Asks for the names of those who are invited, who else are called after their address. */
export function InviteeNames({ selected, errors, onChange }: InviteeNamesProps) {
  const rename = (email: string, givenName: string) =>
    onChange(
      selected.map((person) => {
        if (person.email !== email) return person;
        return { ...person, givenName, name: displayName({ name: givenName, email }) };
      }),
    );
  const invited = selected.filter(({ toInvite }) => toInvite);
  if (invited.length === 0) return null;
  return (
    <div className="stack gap-12">
      {invited.map(({ email, givenName = '' }) => (
        <TextField
          key={email}
          label={`Name for ${email} (optional)`}
          autoComplete="off"
          max={NAME_MAX}
          value={givenName}
          error={errors[email] ?? null}
          onChange={({ target }) => rename(email, target.value)}
        />
      ))}
    </div>
  );
}
