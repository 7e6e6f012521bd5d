import '../../ui/pressable-style.ts';
import { useRef, useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import type { Recipient } from '../../../shared/api/user.ts';
import { RECIPIENTS_MAX, SEARCH_QUERY_MAX } from '../../../shared/limits.ts';
import { findRecipients, rememberRecipients, useKnownPeople } from '../../state/people.ts';
import { useOnline } from '../../state/use-online.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Check, Search } from '../../ui/icon.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useFocusAfterRemoval } from '../use-focus-after-removal.ts';
import { RecipientChips } from './recipient-chips.tsx';
import styles from './recipient-dialog.module.css';

interface RecipientDialogProps {
  owner: string;
  chosen: readonly Recipient[];
  /** Leaves everything as it was. */
  onCancel: () => void;
  onConfirm: (recipients: Recipient[]) => void;
}

interface Found {
  term: string;
  people: readonly Recipient[];
}

export function RecipientDialog({ owner, chosen, onCancel, onConfirm }: RecipientDialogProps) {
  const online = useOnline();
  const [selected, setSelected] = useState<readonly Recipient[]>(chosen);
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isSearching, setSearching] = useState(false);
  const [found, setFound] = useState<Found | null>(null);
  const known = useKnownPeople(owner);
  const people = found?.people ?? known;
  const latest = useRef(0);
  const body = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(body, selected.length, 'h3', 'input');

  const search = async () => {
    const term = text.trim();
    if (term === '') {
      setError('Please enter a search term');
      // Read with the field, and where one goes on.
      body.current?.querySelector('input')?.focus();
      return;
    }
    latest.current += 1;
    const turn = latest.current;
    setSearching(true);
    const answer = await findRecipients(owner, term);
    // A slow answer must not replace that of a later search.
    if (turn !== latest.current) return;
    setSearching(false);
    setFound({ term, people: answer });
  };

  return (
    <Dialog
      open
      title="Select Recipients"
      onClose={onCancel}
      footer={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button
            variant="primary"
            disabled={selected.length === 0 || selected.length > RECIPIENTS_MAX}
            onClick={() => {
              rememberRecipients(owner, selected);
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
            You are offline: you find yourself and the people you have chosen on this device before.
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
            label={found ? 'People found' : 'You and people you have chosen before'}
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
  const isSelected = (id: string) => selected.some((person) => person.id === id);
  return (
    <ListBox
      aria-label={label}
      className={styles.results}
      selectionMode="multiple"
      // Escape closes the dialog, and the choice stays as it was; it does not empty it.
      escapeKeyBehavior="none"
      selectedKeys={people.map(({ id }) => id).filter(isSelected)}
      onSelectionChange={(keys) => {
        const isPicked = ({ id }: Recipient) => keys === 'all' || keys.has(id);
        // Those chosen from earlier searches stay.
        const others = selected.filter(({ id }) => !people.some((person) => person.id === id));
        onSelect([...others, ...people.filter(isPicked)]);
      }}
    >
      {people.map((person) => (
        <ListBoxItem
          key={person.id}
          id={person.id}
          textValue={`${person.name} ${person.email}`}
          className={styles.person}
        >
          <Avatar avatar={person.avatar} name={person.name} />
          <span className={styles.words}>
            <span className={styles.name}>
              {person.name} {person.isYou && <Badge>You</Badge>}
            </span>
            <span className={styles.email}>{person.email}</span>
          </span>
          <Check className={styles.check} size={20} aria-hidden="true" />
        </ListBoxItem>
      ))}
    </ListBox>
  );
}

function noteOf(found: Found | null, isSearching: boolean): string {
  if (isSearching) return 'Searching...';
  if (!found) return 'Enter a search term and click search to find registered users';
  if (found.people.length === 0) return `No users found matching “${found.term}”`;
  return found.people.length === 1 ? '1 user found' : `${found.people.length} users found`;
}
