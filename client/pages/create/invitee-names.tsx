import { nameField } from '../../../shared/api/fields.ts';
import { NAME_MAX } from '../../../shared/limits.ts';
import { withoutHidden } from '../../../shared/visible-text.ts';
import { TextField } from '../../components/field.tsx';
import type { ChosenRecipient } from '../../db/tables.ts';
import { displayName } from '../format.ts';

interface InviteeNamesProps {
  selected: readonly ChosenRecipient[];
  onChange: (selected: readonly ChosenRecipient[]) => void;
}

/** Asks for the names of those who are invited, who else are called after their address. */
export function InviteeNames({ selected, onChange }: InviteeNamesProps) {
  const rename = (email: string, givenName: string) =>
    onChange(
      selected.map((person) => (person.email === email ? named(person, givenName) : person)),
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
          onChange={({ target }) => rename(email, target.value)}
        />
      ))}
    </div>
  );
}

function named(person: ChosenRecipient, givenName: string): ChosenRecipient {
  return { ...person, givenName, name: displayName({ name: givenName, email: person.email }) };
}

/** Without what the server would refuse, as invisible characters from a web page. */
export function withSendableName(person: ChosenRecipient): ChosenRecipient {
  const { givenName } = person;
  if (!givenName || nameField.safeParse(givenName).success) return person;
  return named(person, nameField.safeParse(withoutHidden(givenName)).data ?? '');
}
