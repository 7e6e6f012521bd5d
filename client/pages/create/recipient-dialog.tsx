import { useRef, useState } from 'react';
import { invite } from '../../../shared/api/invitations.ts';
import { RECIPIENTS_MAX, SEARCH_QUERY_MAX } from '../../../shared/limits.ts';
import { isBlank } from '../../../shared/visible-text.ts';
import { call } from '../../api/client.ts';
import { sentenceFrom } from '../../api/errors.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Search } from '../../components/icon.tsx';
import { toasts } from '../../components/toast.tsx';
import type { ChosenRecipient } from '../../db/tables.ts';
import { useOnline } from '../../hooks/device-state.ts';
import { useLimits } from '../../hooks/use-capsules.ts';
import { useRegistration } from '../../hooks/use-contact.ts';
import { findRecipients, rememberRecipients, useKnownPeople } from '../../hooks/use-people.ts';
import { ContactLink } from '../contact-link.tsx';
import { PersonLine } from '../person-line.tsx';
import { CREATE_YOUR_ACCOUNT, tell } from '../tell.ts';
import { type Found, noteOf, toInvite } from './found.ts';
import { InviteeNames, withSendableName } from './invitee-names.tsx';
import styles from './recipients.module.css';
import { RecipientChips } from './recipients.tsx';

interface RecipientDialogProps {
  chosen: readonly ChosenRecipient[];
  onCancel: () => void;
  onConfirm: (recipients: ChosenRecipient[]) => void;
}

export function RecipientDialog({ chosen, onCancel, onConfirm }: RecipientDialogProps) {
  const online = useOnline();
  const [selected, setSelected] = useState<readonly ChosenRecipient[]>(chosen);
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isSearching, setSearching] = useState(false);
  const [found, setFound] = useState<Found | null>(null);
  const known = useKnownPeople();
  const mayInvite = useRegistration() !== 'closed';
  const stranger = found && toInvite(found);
  const invitable = mayInvite ? stranger : null;
  const people = [...(found?.people ?? known), ...(invitable ? [invitable] : [])];
  const latest = useRef(0);
  const body = useRef<HTMLDivElement>(null);

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
              const recipients = selected.map(withSendableName);
              rememberRecipients(recipients);
              onConfirm(recipients);
            }}
          >
            Confirm Selection ({selected.length})
          </Button>
        </>
      }
    >
      <div className="stack gap-12" ref={body}>
        <p className="quiet">Choose from registered users to share your time capsule</p>
        {!online && (
          <p className="quiet small">
            You're offline. Choose yourself or people you've sent to before on this device
            {mayInvite && ', or enter a full email address'}.
          </p>
        )}
        <form
          className={`cluster gap-8 top ${styles.search}`}
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
            data-focus-home
            maxLength={SEARCH_QUERY_MAX}
            value={text}
            error={error}
            onChange={(event) => {
              setText(event.target.value);
              setError(null);
            }}
          />
          <Button type="submit" icon={Search} busy={isSearching}>
            Search
          </Button>
        </form>
        <div role="status">
          <p className="quiet small">
            {noteOf(found, { isSearching, isInvitable: invitable !== null })}
          </p>
          {online && mayInvite && !found?.people.length && !isSearching && !invitable && (
            <p className="quiet small">
              Not here yet? Enter their full email address to invite them.
            </p>
          )}
          {!mayInvite && stranger && !found?.isOffline && !isSearching && (
            <p className="quiet small">
              Nobody has an account with this address here. Ask <ContactLink /> to let them in.
            </p>
          )}
        </div>
        {people.length > 0 && (
          <Results
            label={found ? 'People found' : "You and people you've sent to before"}
            people={people}
            invitable={invitable}
            isOffline={found?.isOffline ?? false}
            selected={selected}
            onSelect={setSelected}
          />
        )}
        {selected.length > 0 && (
          <section className={`stack gap-8 line-above ${styles.selected}`}>
            <h3 data-focus-home>Selected Recipients ({selected.length})</h3>
            <RecipientChips
              recipients={selected}
              onRemove={(id) => setSelected(selected.filter((person) => person.id !== id))}
            />
            <InviteeNames selected={selected} onChange={setSelected} />
            <p className="silent" role="alert">
              {selected.length > RECIPIENTS_MAX &&
                `A capsule can have at most ${RECIPIENTS_MAX} recipients`}
            </p>
          </section>
        )}
      </div>
    </Dialog>
  );
}

interface ResultsProps {
  label: string;
  people: readonly ChosenRecipient[];
  /** The one of them who was found by nothing but the address. */
  invitable: ChosenRecipient | null;
  isOffline: boolean;
  selected: readonly ChosenRecipient[];
  onSelect: (selected: readonly ChosenRecipient[]) => void;
}

function Results({ label, people, invitable, isOffline, selected, onSelect }: ResultsProps) {
  const handsOver = useLimits().data?.handsOverInvitations;
  const isClosed = useRegistration() === 'closed';
  return (
    <fieldset className={`stack gap-8 narrows ${styles.results}`} aria-label={label}>
      {people.map((person) => {
        // The same person has another id once they are invited.
        const others = selected.filter(({ email }) => email !== person.email);
        return (
          <div key={person.id} className="stack to-start breaks">
            <label className={`row middle gap-12 target outlined darkens rounded ${styles.person}`}>
              <input
                className="tick"
                type="checkbox"
                checked={others.length < selected.length}
                onChange={({ target }) => onSelect(target.checked ? [...others, person] : others)}
              />
              {person === invitable ? (
                <InviteLine person={person} isOffline={isOffline} />
              ) : (
                <PersonLine person={person} />
              )}
            </label>
            {handsOver && person.isInvited && !person.toInvite && (
              <Button variant="quiet" onClick={() => void handOver(person)}>
                {'share' in navigator
                  ? `Send ${person.name} a new invitation`
                  : `Copy a new invitation link for ${person.name}`}
              </Button>
            )}
            {isClosed && person.isInvited && (
              <p className="quiet small">
                They need an account to open it. Ask <ContactLink /> to let them in.
              </p>
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
    const { link, message } = await call(invite, { body: { email } });
    if (link !== null) await tell(CREATE_YOUR_ACCOUNT, link);
    else toasts.success(message);
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
      <span className={`stack small breaks ${styles.chipWords}`}>
        <span className="strong">
          {isOffline ? 'Choose' : 'Invite'} {email}
        </span>
        <span className="quiet">
          {isOffline
            ? "If they don't have an account, we'll invite them once there's a connection."
            : "You can seal the capsule right away. We'll send them one email in your name, and another when it opens."}
        </span>
      </span>
    </>
  );
}
