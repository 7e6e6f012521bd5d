import { useState } from 'react';
import { getRecoveryCodes } from '../../../shared/api/recovery-codes.ts';
import { listSessions } from '../../../shared/api/sessions.ts';
import { call } from '../../api/client.ts';
import { Spinner } from '../../components/spinner.tsx';
import { useContact } from '../../hooks/use-contact.ts';
import { usePasskeys } from '../../hooks/use-passkeys.ts';
import { useQuery } from '../../hooks/use-query.ts';
import { ProfilePart } from '../profile-part.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { ProviderCard } from './provider-card.tsx';
import { RecoveryCodesCard } from './recovery-codes-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

/** In the same file of code: few people ever come to it. */
export { RecoveryCodePage } from './recovery-code.tsx';

/** Where the person is signed in, and what lets them in. */
export function SignInPage() {
  const sessions = useQuery('sessions', (signal) => call(listSessions, { signal }));
  const passkeys = usePasskeys();
  const codes = useQuery('recovery-codes', (signal) => call(getRecoveryCodes, { signal }));
  const { provider } = useContact();
  // All cards come at once, so that none moves when another one does.
  const isAsking = [sessions, passkeys, codes].some(({ data, error }) => !data && error === null);
  const [isShown, setShown] = useState(false);
  if (!isAsking && !isShown) setShown(true);
  return (
    <ProfilePart title="Signing in" under="Safety">
      {isShown ? (
        <>
          <SessionsCard sessions={sessions} />
          <PasskeysCard book={passkeys} />
          <RecoveryCodesCard book={codes} />
          {provider && <ProviderCard provider={provider} />}
        </>
      ) : (
        <Spinner label="Loading where you're signed in..." />
      )}
    </ProfilePart>
  );
}
