import { useId, useRef, useState } from 'react';
import { newEmailField } from '../../../shared/api/fields.ts';
import { invite } from '../../../shared/api/invitations.ts';
import { RECIPIENTS_MAX, SEARCH_QUERY_MAX } from '../../../shared/limits.ts';
import { isBlank } from '../../../shared/visible-text.ts';
import { call } from '../../api/client.ts';
import { sentenceFrom } from '../../api/errors.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FieldError, TextField } from '../../components/field.tsx';
import { Search, Users, X } from '../../components/icon.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { toasts } from '../../components/toast.tsx';
import type { ChosenRecipient } from '../../db/tables.ts';
import { useOnline } from '../../hooks/device-state.ts';
import { useLimits } from '../../hooks/use-capsules.ts';
import {
  findRecipients,
  type RecipientSearch,
  rememberRecipients,
  useKnownPeople,
} from '../../hooks/use-people.ts';
import { useFocusAfterRemoval } from '../focus.ts';
import { PersonLine } from '../person-line.tsx';
import { CREATE_YOUR_ACCOUNT, tell } from '../tell.ts';
import styles from './recipients.module.css';

interface RecipientFieldProps {
  recipients: readonly ChosenRecipient[];
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
  recipients: readonly ChosenRecipient[];
  onRemove: (id: string) => void;
}

/** The chosen people; the area scrolls when they are many. */
function RecipientChips({ recipients, onRemove }: RecipientChipsProps) {
  const prefix = useId();
  return (
    <ul className={styles.chips}>
      {recipients.map(({ id, name, email, avatar, isYou, isInvited }) => (
        <li key={id} className={styles.chip}>
          <Avatar avatar={avatar} name={name} size={28} />
          <span className={styles.chipWords}>
            <span className={styles.chipName}>
              <bdi>{name}</bdi>
              {isYou && ' (You)'}
              {isInvited && ' (Invited)'}
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
  chosen: readonly ChosenRecipient[];
  onCancel: () => void;
  onConfirm: (recipients: ChosenRecipient[]) => void;
}

interface Found extends RecipientSearch {
  term: string;
}

export function RecipientDialog({ chosen, onCancel, onConfirm }: RecipientDialogProps) {
  const online = useOnline();
  const [selected, setSelected] = useState<readonly ChosenRecipient[]>(chosen);
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isSearching, setSearching] = useState(false);
  const [found, setFound] = useState<Found | null>(null);
  const known = useKnownPeople();
  const invitable = found && toInvite(found);
  const people = [...(found?.people ?? known), ...(invitable ? [invitable] : [])];
  const latest = useRef(0);
  const body = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(body, selected.length, 'h3', 'input');

  const search = async () => {
    const term = text.trim();
    if (isBlank(term)) {
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
    setFound({ term, ...answer });
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
              rememberRecipients(selected.filter((person) => !person.toInvite));
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
            You're offline, so you can only choose yourself, people you've sent to before on this
            device, and anyone whose full email address you enter.
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
          {noteOf(found, { isSearching, isInvitable: invitable !== null })}
        </p>
        {people.length > 0 && (
          <Results
            label={found ? 'People found' : "You and people you've sent to before"}
            people={people}
            isOffline={found?.isOffline ?? false}
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
  people: readonly ChosenRecipient[];
  isOffline: boolean;
  selected: readonly ChosenRecipient[];
  onSelect: (selected: readonly ChosenRecipient[]) => void;
}

function Results({ label, people, isOffline, selected, onSelect }: ResultsProps) {
  const handsOver = useLimits().data?.handsOverInvitations;
  return (
    <fieldset className={styles.results} aria-label={label}>
      {people.map((person) => {
        // The same person has another id once they are invited.
        const others = selected.filter(({ email }) => email !== person.email);
        return (
          <div key={person.id} className={styles.row}>
            <label className={styles.person}>
              <input
                type="checkbox"
                checked={others.length < selected.length}
                onChange={({ target }) => onSelect(target.checked ? [...others, person] : others)}
              />
              {person.toInvite ? (
                <InviteLine person={person} isOffline={isOffline} />
              ) : (
                <PersonLine person={person} />
              )}
            </label>
            {handsOver && person.isInvited && !person.toInvite && (
              <Button variant="quiet" onClick={() => void handOver(person)}>
                Give {person.name} a new invitation link
              </Button>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

/** The link that was shown at the sealing may be lost. */
async function handOver({ email }: ChosenRecipient): Promise<void> {
  try {
    const { link } = await call(invite, { body: { email } });
    if (link !== null) await tell(CREATE_YOUR_ACCOUNT, link);
  } catch (error) {
    toasts.failure(sentenceFrom(error, "We couldn't get the link. Please try again."));
  }
}

/** In place of a person who was not found by their address. Offline they may have an account. */
function InviteLine({ person, isOffline }: { person: ChosenRecipient; isOffline: boolean }) {
  const { avatar, name, email } = person;
  return (
    <>
      <Avatar avatar={avatar} name={name} />
      <span className={styles.chipWords}>
        <span className={styles.chipName}>
          {isOffline ? 'Choose' : 'Invite'} {email}
        </span>
        <span className={styles.chipEmail}>
          {isOffline
            ? "If they don't have an account, we'll invite them once there's a connection."
            : "You can seal the capsule right away. We'll send them one email in your name, and another when it opens."}
        </span>
      </span>
    </>
  );
}

const ADDRESS = newEmailField();

/** Somebody who was searched for by their address and not found, as a recipient. */
function toInvite({ term, people }: Found): ChosenRecipient | null {
  const { data: email } = ADDRESS.safeParse(term);
  if (email === undefined || people.some((person) => person.email === email)) return null;
  const name = email.replace(/@.*/, '');
  const avatar = name.charAt(0).toUpperCase();
  return { id: email, name, email, avatar, isYou: false, isInvited: true, toInvite: true };
}

function noteOf(
  found: Found | null,
  { isSearching, isInvitable }: { isSearching: boolean; isInvitable: boolean },
): string {
  if (isSearching) return 'Searching...';
  if (!found) return 'Enter a search term and click search to find registered users';
  const { term, people, isOffline } = found;
  if (people.length === 0) {
    const none = `No users found matching “${term}”`;
    if (isOffline) {
      const choose = isInvitable ? ', but you can still choose this address' : '';
      return `${none}. We can't search right now${choose}.`;
    }
    return isInvitable ? `${none}. You can invite them.` : none;
  }
  if (isOffline) {
    return people.length === 1
      ? '1 person found on this device'
      : `${people.length} people found on this device`;
  }
  return people.length === 1 ? '1 user found' : `${people.length} users found`;
}
