import { useId, useRef, useState } from 'react';
import type { Recipient } from '../../../shared/api/user.ts';
import { RECIPIENTS_MAX, SEARCH_QUERY_MAX } from '../../../shared/limits.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FieldError, TextField } from '../../components/field.tsx';
import { Search, Users, X } from '../../components/icon.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { useOnline } from '../../hooks/device-state.ts';
import { findRecipients, rememberRecipients, useKnownPeople } from '../../hooks/use-people.ts';
import { useFocusAfterRemoval } from '../focus.ts';
import { PersonLine } from '../person-line.tsx';
import styles from './recipients.module.css';

interface RecipientFieldProps {
  recipients: readonly Recipient[];
  error: string | undefined;
  onChoose: () => void;
  onRemove: (id: string) => void;
}

export function RecipientField({ recipients, error, onChoose, onRemove }: RecipientFieldProps) {
  const id = useId();
  const field = useRef<HTMLFieldSetElement>(null);
  useFocusAfterRemoval(field, recipients.length, ':scope > button');
  return (
    <fieldset className={styles.field} ref={field}>
      <legend className={styles.label}>Recipient Emails</legend>
      {recipients.length > 0 && <RecipientChips recipients={recipients} onRemove={onRemove} />}
      <Button
        icon={<Users size={18} aria-hidden="true" />}
        data-refused={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onClick={onChoose}
      >
        {recipients.length === 0 ? 'Select Recipients' : 'Change Recipients'}
      </Button>
      {error && <FieldError id={`${id}-error`} text={error} />}
    </fieldset>
  );
}

interface RecipientChipsProps {
  recipients: readonly Recipient[];
  onRemove: (id: string) => void;
}

/** The chosen people; the area scrolls when they are many. */
function RecipientChips({ recipients, onRemove }: RecipientChipsProps) {
  const prefix = useId();
  return (
    <ul className={styles.chips}>
      {recipients.map(({ id, name, email, avatar, isYou }) => (
        <li key={id} className={styles.chip}>
          <Avatar avatar={avatar} name={name} size={28} />
          <span className={styles.chipWords}>
            <span className={styles.chipName}>
              <bdi>{name}</bdi>
              {isYou && ' (You)'}
            </span>
            {/* Two people may have the same name. */}
            <span className={styles.chipEmail} id={`${prefix}-${id}`}>
              {email}
            </span>
          </span>
          <IconButton
            label={`Remove ${name}`}
            className={styles.remove}
            aria-describedby={`${prefix}-${id}`}
            onClick={() => onRemove(id)}
          >
            <X size={16} aria-hidden="true" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

interface RecipientDialogProps {
  chosen: readonly Recipient[];
  onCancel: () => void;
  onConfirm: (recipients: Recipient[]) => void;
}

interface Found {
  term: string;
  people: readonly Recipient[];
}

export function RecipientDialog({ chosen, onCancel, onConfirm }: RecipientDialogProps) {
  const online = useOnline();
  const [selected, setSelected] = useState<readonly Recipient[]>(chosen);
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isSearching, setSearching] = useState(false);
  const [found, setFound] = useState<Found | null>(null);
  const known = useKnownPeople();
  const people = found?.people ?? known;
  const latest = useRef(0);
  const body = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(body, selected.length, 'h3', 'input');

  const search = async () => {
    const term = text.trim();
    if (term === '') {
      setError('Please enter a search term');
      // Focusing the field makes a screen reader read its error.
      body.current?.querySelector('input')?.focus();
      return;
    }
    latest.current += 1;
    const turn = latest.current;
    setSearching(true);
    const answer = await findRecipients(term);
    // A slow answer must not replace that of a later search.
    if (turn !== latest.current) return;
    setSearching(false);
    setFound({ term, people: answer });
  };

  return (
    <Dialog
      title="Select Recipients"
      onClose={onCancel}
      footer={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button
            variant="primary"
            disabled={selected.length === 0 || selected.length > RECIPIENTS_MAX}
            onClick={() => {
              rememberRecipients(selected);
              onConfirm([...selected]);
            }}
          >
            Confirm Selection ({selected.length})
          </Button>
        </>
      }
    >
      <div className={styles.body} ref={body}>
        <p className={styles.subtitle}>Choose from registered users to share your time capsule</p>
        {!online && (
          <p className={styles.note}>
            You're offline, so you can only choose yourself and people you've sent to before on this
            device.
          </p>
        )}
        <form
          className={styles.search}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void search();
          }}
        >
          <TextField
            label="Name or email"
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            autoFocus
            maxLength={SEARCH_QUERY_MAX}
            value={text}
            error={error}
            onChange={(event) => {
              setText(event.target.value);
              setError(null);
            }}
          />
          <Button type="submit" icon={<Search size={18} aria-hidden="true" />} busy={isSearching}>
            Search
          </Button>
        </form>
        <p className={styles.note} role="status">
          {noteOf(found, isSearching)}
        </p>
        {people.length > 0 && (
          <Results
            label={found ? 'People found' : "You and people you've sent to before"}
            people={people}
            selected={selected}
            onSelect={setSelected}
          />
        )}
        {selected.length > 0 && (
          <section className={styles.selected}>
            <h3 tabIndex={-1}>Selected Recipients ({selected.length})</h3>
            <RecipientChips
              recipients={selected}
              onRemove={(id) => setSelected(selected.filter((person) => person.id !== id))}
            />
            {selected.length > RECIPIENTS_MAX && (
              <p role="alert">A capsule can have at most {RECIPIENTS_MAX} recipients</p>
            )}
          </section>
        )}
      </div>
    </Dialog>
  );
}

interface ResultsProps {
  label: string;
  people: readonly Recipient[];
  selected: readonly Recipient[];
  onSelect: (selected: readonly Recipient[]) => void;
}

function Results({ label, people, selected, onSelect }: ResultsProps) {
  return (
    <fieldset className={styles.results} aria-label={label}>
      {people.map((person) => {
        const others = selected.filter(({ id }) => id !== person.id);
        return (
          <label key={person.id} className={styles.person}>
            <input
              type="checkbox"
              checked={others.length < selected.length}
              onChange={({ target }) => onSelect(target.checked ? [...others, person] : others)}
            />
            <PersonLine person={person} />
          </label>
        );
      })}
    </fieldset>
  );
}

function noteOf(found: Found | null, isSearching: boolean): string {
  if (isSearching) return 'Searching...';
  if (!found) return 'Enter a search term and click search to find registered users';
  if (found.people.length === 0) return `No users found matching “${found.term}”`;
  return found.people.length === 1 ? '1 user found' : `${found.people.length} users found`;
}
