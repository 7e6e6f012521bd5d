import { type ReactNode, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { isAnswerOf, messageFrom } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { NoStorage } from '../../components/no-storage.tsx';
import { OfflineNote } from '../../components/offline-note.tsx';
import { LogoMark } from '../../components/seal.tsx';
import { siteName } from '../../components/site-name.ts';
import { Spinner } from '../../components/spinner.tsx';
import type { Contribution } from '../../db/contributions.ts';
import { randomUuid } from '../../db/tables.ts';
import { deviceState, useOnline } from '../../hooks/device-state.ts';
import { useExternalStore } from '../../hooks/store.ts';
import { ADDING } from '../../sync/locks.ts';
import { sendNow } from '../../sync/scheduler.ts';
import { openPersonalLink } from '../../sync/send-contributions.ts';
import { firstName } from '../format.ts';
import styles from './add.module.css';
import { Part } from './part.tsx';
import { useContributionLink, useContributions, useContributors } from './use-contributions.ts';

const PERSONAL = /^#([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\w-]{43,128})$/i;

/**
 * Here somebody without an account adds to another person's draft, by a link whose token stands behind
 * the `#`. What this browser has added is found here again, without the link as well.
 */
export function AddPage() {
  const isOpen = useContributors();
  const { trouble } = useExternalStore(deviceState);
  const { hash } = useLocation();
  if (trouble !== null) {
    return (
      <Frame>
        <section className={`stack gap-32 sheet ${styles.sheet}`}>
          <NoStorage why={trouble} />
        </section>
      </Frame>
    );
  }
  const token = PERSONAL.test(hash) ? '' : hash.slice(1);
  // A second link that is opened in this tab changes only the hash: it begins a part of its own.
  return <ByLink key={token} token={token} isOpen={isOpen} />;
}

function ByLink({ token, isOpen }: { token: string; isOpen: boolean }) {
  const { chosen, fresh, isAdopting, failure, choose, note, leave } = usePlace(isOpen);
  const all = useContributions(isOpen);
  const { link, error } = useContributionLink(token, isOpen);

  if (failure) {
    return (
      <Frame>
        {closedNote(failure) ?? (
          <Note title="We couldn't open your link">
            <p>Please check the connection, and whether your device has space left.</p>
            <Button onClick={() => location.reload()}>Try again</Button>
          </Note>
        )}
      </Frame>
    );
  }
  if (!all || isAdopting) {
    return (
      <Frame>
        <Spinner label="Loading…" />
      </Frame>
    );
  }
  const byThisLink = all.filter(({ row }) => token === '' || row.token === token);
  const one = all.find(({ row }) => row.id === chosen) ?? (chosen ? undefined : byThisLink[0]);
  const id = one?.row.id ?? chosen ?? fresh;
  const others = all.filter(({ row }) => row.id !== id);
  if (!one && token === '') {
    return (
      <Frame>
        <Note title="Nothing here yet">
          <p>
            Here you find what you've added from this browser. To add something, please open the
            link that you were sent.
          </p>
        </Note>
      </Frame>
    );
  }
  const closed = closedNote(error, link?.organiser);
  return (
    <Frame>
      {(!one && closed) || (
        <Part
          key={id}
          id={id}
          one={one}
          token={token}
          isClosed={closed !== null}
          link={one && one.row.token !== token ? null : link}
          onBegin={() => note(id)}
          onRemoved={leave}
          onAnother={token === '' || error !== null ? undefined : () => choose(randomUuid())}
        />
      )}
      {others.length > 0 && <Others others={others} onChoose={choose} />}
    </Frame>
  );
}

/** Which contribution the address means. */
function usePlace(isOpen: boolean) {
  const { hash, state } = useLocation();
  const navigate = useNavigate();
  const [fresh] = useState(randomUuid);
  const [failure, setFailure] = useState<unknown>(null);
  const [, id, secret] = PERSONAL.exec(hash) ?? [];
  const noted: unknown = Object(state).part;
  const chosen = id ?? (typeof noted === 'string' ? noted : null);

  useEffect(() => {
    if (!isOpen || id === undefined || secret === undefined) return;
    const open = async () => {
      setFailure(null);
      await openPersonalLink(id, secret);
      sendNow(ADDING);
      // Out of the address, which people copy to show others where to add.
      navigate('/add', { replace: true, state: { part: id } });
    };
    void open().catch(setFailure);
  }, [isOpen, id, secret, navigate]);

  return {
    chosen,
    fresh,
    isAdopting: id !== undefined,
    failure,
    choose: (part: string) => navigate({ pathname: '/add', hash }, { state: { part } }),
    /** What is shown was deleted: an empty form takes its place, or what else is here. */
    leave: () => {
      const state = PERSONAL.test(hash) || hash === '' ? null : { part: randomUuid() };
      navigate({ pathname: '/add', hash }, { state, replace: true });
    },
    /** Keeps to the one that is shown. It is called with each key, and Back leads away all the same. */
    note: (part: string) => {
      if (part !== chosen) navigate({ pathname: '/add', hash }, { state: { part }, replace: true });
    },
  };
}

function closedNote(error: unknown, organiser?: string): ReactNode {
  if (isAnswerOf(error, 'CONTRIBUTION_TOO_LATE')) {
    return (
      <Note title="It's sealed already">
        <p>{messageFrom(error, '')}</p>
      </Note>
    );
  }
  const isPersonal =
    isAnswerOf(error, 'CONTRIBUTION_ELSEWHERE') || isAnswerOf(error, 'CONTRIBUTION_NOT_FOUND');
  if (!isPersonal && !isAnswerOf(error, 'CONTRIBUTION_LINK_INVALID')) return null;
  const who = organiser ? firstName({ name: organiser }) : 'whoever sent it';
  return (
    <Note title="This link doesn't work any more">
      <p>{isPersonal ? OLD_LINK : `Ask ${who} for a new link.`}</p>
    </Note>
  );
}

const OLD_LINK =
  "If you've gone on with it on another device, open your personal link from there. Otherwise it was taken back or removed.";

function Note({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={`stack gap-32 sheet ${styles.sheet}`}>
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </section>
  );
}

/** Around the sheet: where one is, and nothing that asks to sign in. */
function Frame({ children }: { children: ReactNode }) {
  const online = useOnline();
  const { isBetween } = useExternalStore(deviceState);
  return (
    <div className={`column ${styles.page}`}>
      {/* The address has a secret: no list of pages should name it. */}
      <meta name="robots" content="noindex" />
      <OfflineNote online={online} isBetween={isBetween} saves />
      <header className={`row middle gap-8 mid-row quiet serif ${styles.brand}`}>
        <LogoMark />
        {siteName()}
      </header>
      <main className={`stack gap-32 wide ${styles.main}`} id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

interface OthersProps {
  others: readonly Contribution[];
  onChoose: (id: string) => void;
}

/** What else was added from this browser. */
function Others({ others, onChoose }: OthersProps) {
  return (
    <section className="stack gap-8">
      <h2>Also from this browser</h2>
      <ul>
        {others.map(({ row: { id, fields, asked } }) => (
          <li key={id}>
            <button
              type="button"
              className={`target copper ${styles.other}`}
              onClick={() => onChoose(id)}
            >
              {[fields.name.trim() || 'No name yet', asked.title].filter(Boolean).join(', for ')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
