import { useState } from 'react';
import { PROFILE_LOAD_HINT } from '../../../shared/sentences.ts';
import { isConnectionError, sentenceFrom } from '../../api/errors.ts';
import { Banner } from '../../components/banner.tsx';
import type { Resource } from '../../hooks/use-resource.ts';
import { focusHeading } from '../focus.ts';
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
  const listFailure = lists.map(failureOf).find((failure) => failure !== null) ?? null;
  const profileFailure = failureOf(me);
  const shown = listFailure ?? profileFailure;
  const message = listFailure
    ? sentenceFrom(listFailure, 'Failed to load capsules')
    : profileFailure && `${sentenceFrom(profileFailure, '')} ${PROFILE_LOAD_HINT}`.trim();
  return (
    <div className={failedFirst ? styles.failure : styles.lateFailure}>
      <Banner
        message={failedFirst === null || shown === dismissed ? null : message}
        onDismiss={() => {
          setDismissed(shown);
          focusHeading();
        }}
      />
    </div>
  );
}

/** While a cached answer is shown, a lost connection is no error: the list says how old it is. */
export function failureOf({ error, data }: Resource<unknown>): Error | null {
  if (isConnectionError(error) && (data !== null || !navigator.onLine)) return null;
  return error instanceof Error ? error : null;
}
