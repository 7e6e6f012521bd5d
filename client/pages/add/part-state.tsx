import { Button } from '../../components/button.tsx';
import { confirm } from '../../components/confirm.tsx';
import { CircleAlert, CircleCheck, Lock, Send } from '../../components/icon.tsx';
import type { Contribution } from '../../db/contributions.ts';
import type { ContributionRow } from '../../db/tables.ts';
import { changeDevice } from '../change-device.ts';
import { FileIcon } from '../file-icon.tsx';
import { sizeText } from '../format.ts';
import { copy, tell } from '../tell.ts';
import styles from './add.module.css';
import { type PartState as State, takeBackText } from './part-words.ts';
import { giveNow, removeHere, takeBackNow } from './use-contributions.ts';

interface PartStateProps {
  one: Contribution;
  state: State;
  /** Of the link that led here; empty without one. */
  token: string;
  isClosed: boolean;
  onChange: () => void;
  onRemoved: () => void;
  onAnother: (() => void) | undefined;
}

const MARKS = { writing: Send, waiting: Send, arrived: CircleCheck, over: Lock };

/** What became of a contribution, what it says, and what can still be done with it. */
export function PartState(props: PartStateProps) {
  const { one, state, token, isClosed, onChange, onRemoved, onAnother } = props;
  const { id, known, fields } = one.row;
  const isTakenBack = one.row.state === 'taken-back';
  const isLost = ['gone', 'late', 'ended'].includes(one.row.state);
  // By the same link it would end in the same way.
  const isNewLink = token !== '' && (one.row.state !== 'ended' || token !== one.row.token);
  // A personal link has no token to send by.
  const isByItsLink = one.row.state === 'gone' && one.row.token !== '';
  const Mark = isLost ? CircleAlert : MARKS[state.kind];

  const takeBack = async () => {
    const options = { danger: true, yes: 'Take it back' };
    if (!(await confirm('Take it back?', takeBackText(one.files), options))) return;
    await changeDevice(() => takeBackNow(id));
  };

  return (
    <div className="stack gap-24">
      <section className={`row gap-12 ${styles.state}`} data-kind={state.kind}>
        <Mark size={24} aria-hidden="true" />
        <div className="stack gap-4 narrows">
          <h2 data-state tabIndex={-1}>
            {state.title}
          </h2>
          <p role="status">{state.text}</p>
        </div>
      </section>
      <div className="cluster middle gap-8-16">
        {state.kind !== 'over' && !isTakenBack && (
          <>
            <Button onClick={onChange}>Change it</Button>
            <Button variant="quiet" onClick={() => void takeBack()}>
              Take it back
            </Button>
          </>
        )}
        {isTakenBack && (
          <Button onClick={() => void changeDevice(() => giveNow(id))}>Leave it there</Button>
        )}
        {isLost && !isClosed && (isNewLink || isByItsLink) && (
          <Button onClick={() => void changeDevice(() => giveNow(id, token || undefined))}>
            Send it again
          </Button>
        )}
        {state.kind === 'over' && (
          <>
            {fields.letter.trim() !== '' && (
              <Button onClick={() => void copy(fields.letter)}>Copy your letter</Button>
            )}
            <Button variant="quiet" onClick={() => void deleteHere(one.row, onRemoved)}>
              Delete it from this browser
            </Button>
          </>
        )}
      </div>
      {known && state.kind !== 'over' && !isTakenBack && <KeepLink one={one} />}
      <Written one={one} />
      {onAnother && state.kind !== 'over' && (
        <p className="outdent">
          <Button variant="quiet" onClick={onAnother}>
            Add another person's part
          </Button>
        </p>
      )}
    </div>
  );
}

/** Asks, and deletes it from this browser. */
export async function deleteHere({ id, state }: ContributionRow, onRemoved: () => void) {
  const text =
    state === 'sealed'
      ? 'What is sealed stays sealed. Only the copy in this browser goes.'
      : 'It is only in this browser. You cannot undo this.';
  const options = { danger: true, yes: 'Delete it' };
  if (!(await confirm('Delete it from this browser?', text, options))) return;
  if (await changeDevice(() => removeHere(id))) onRemoved();
}

function KeepLink({ one }: { one: Contribution }) {
  const { id, secret } = one.row;
  // Its secret stands behind the #, which no browser sends.
  const link = `${location.origin}/add#${id}.${secret}`;
  return (
    <section className={`cluster middle spread small gap-12-16 sunken ${styles.keep}`}>
      <p>This private link lets you change it later on any device. Don't share it.</p>
      <Button onClick={() => void tell('My link to change what I added:', link)}>
        {'share' in navigator ? 'Send it to yourself' : 'Copy my private link'}
      </Button>
    </section>
  );
}

/** What it says, to be read again. */
function Written({ one: { row, files } }: { one: Contribution }) {
  const { name, letter } = row.fields;
  return (
    <section className={`stack gap-16 lines ${styles.written}`} aria-label="What you wrote">
      {letter.trim() !== '' && (
        <p className={`measure breaks verbatim ${styles.letter}`} dir="auto">
          {letter}
        </p>
      )}
      <p className={`breaks ${styles.name}`}>
        <bdi>{name}</bdi>
      </p>
      {files.length > 0 && (
        <ul className="stack gap-8">
          {files.map((file) => (
            <li key={file.id} className="row middle gap-12">
              <FileIcon fileName={file.name} />
              <span className="cluster gap-0-12 breaks">
                <span>{file.name}</span>
                <span className="stamp quiet">{sizeText(file.bytes)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
