import { useState } from 'react';
import { isConnectionError, sentenceFrom } from '../../api/errors.ts';
import { Banner } from '../../components/banner.tsx';
import type { Resource } from '../../hooks/use-resource.ts';
import { PROFILE_LOAD_HINT } from '../format.ts';
import styles from './dashboard.module.css';

interface ListFailureProps {
  lists: readonly Resource<unknown>[];
  me: Resource<unknown>;
  /** Whether anything failed when the page was shown; null until then, when nothing is said. */
  failedFirst: boolean | null;
}

/** Why the lists or the person's profile could not be loaded. */
export function ListFailure({ lists, me, failedFirst }: ListFailureProps) {
  const [dismissed, setDismissed] = useState<Error | null>(null);
  const { list, profile } = failuresOf(lists, me);
  const shown = list ?? profile;
  const message = list
    ? sentenceFrom(list, 'Failed to load capsules')
    : profile && `${sentenceFrom(profile, '')} ${PROFILE_LOAD_HINT}`.trim();
  return (
    <div className={`for-failure ${failedFirst ? '' : styles.lateFailure}`}>
      <Banner
        message={failedFirst === null || shown === dismissed ? null : message}
        onDismiss={() => setDismissed(shown)}
      />
    </div>
  );
}

/** A lost connection is no failure of a list, which says how old it is, or that it isn't here yet. */
export function failuresOf(lists: readonly Resource<unknown>[], me: Resource<unknown>) {
  const failed = lists
    .map(({ error }) => error)
    .find((error) => error && !isConnectionError(error));
  // A device that doesn't know who is signed in can show and save nothing.
  const isMissed = isConnectionError(me.error) && (me.data !== null || !navigator.onLine);
  return { list: errorOf(failed), profile: isMissed ? null : errorOf(me.error) };
}

function errorOf(error: unknown): Error | null {
  return error instanceof Error ? error : null;
}
