import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import {
  type Invitation,
  openInvitation,
  refuseInvitation,
} from '../../../shared/api/invitations.ts';
import { yearsOf } from '../../../shared/seal-geometry.ts';
import { call } from '../../api/client.ts';
import { isAnswerOf, sentenceFrom } from '../../api/errors.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { lazyExtra } from '../../components/lazy-extra.ts';
import { Seal } from '../../components/seal.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useContact, useRegistration } from '../../hooks/use-contact.ts';
import { useLinkToken } from '../../hooks/use-link-token.ts';
import { useQuery } from '../../hooks/use-query.ts';
import { invitedPage, rememberWantedPage } from '../../hooks/use-session.ts';
import { ContactLink } from '../contact-link.tsx';
import { longDate } from '../format.ts';
import { useAction } from '../use-action.ts';
import { AuthForm } from './auth-form.tsx';
import { AuthFrame, IncompleteLink } from './auth-frame.tsx';

/** The form works without it. */
const ProviderClaim = lazyExtra(
  async () => (await import('../sign-in/provider-claim.tsx')).ProviderClaim,
);

const ITS_YOURS = "Choose a name and a password, and it's yours to read.";
const THERE =
  'Choose a name and a password. Whatever is sealed for you will be there, waiting for its day.';
const CONTINUE = 'Continue below, and everything is there.';
const INVALID_LINK = "This invitation link doesn't work any more.";

/** An invited person chooses a name and a password, and everything is there. */
export function ClaimPage() {
  const [query] = useSearchParams();
  const token = useLinkToken('invitation');
  const capsule = query.get('capsule') ?? undefined;
  const { provider, passwordsOff = false } = useContact();
  useEffect(() => rememberWantedPage(invitedPage(query)), [query]);
  return (
    <WithInvitation key={token} token={token} capsule={capsule}>
      {(invitation) => (
        <AuthFrame title={invitation.capsule ? 'It has opened' : "You're invited"}>
          {invitation.capsule && <OpenedFor capsule={invitation.capsule} />}
          {invitation.isClosed ? (
            <>
              {!invitation.capsule && <p>{byWhom(invitation)}</p>}
              <WhomToAsk inviter={invitation.inviterName ?? 'whoever invited you'} />
            </>
          ) : (
            <>
              <p>{greeting(invitation, passwordsOff)}</p>
              {/* Its address is confirmed by the link, or in the next step. */}
              {!passwordsOff && (
                <AuthForm registering claim={{ token, invitation }} onUnverified={() => {}} />
              )}
              {provider && (
                <Suspense>
                  <ProviderClaim provider={provider} invitation={token} />
                </Suspense>
              )}
            </>
          )}
          <div className="cluster spread gap-4-16 line-above pad-above">
            <Link className="inline-row target strong" to="/auth">
              Already have an account? Sign In
            </Link>
            <Link
              className="inline-row target strong"
              to={`/auth/refuse-invitation#token=${token}`}
            >
              No, thank you
            </Link>
          </div>
        </AuthFrame>
      )}
    </WithInvitation>
  );
}

function greeting(invitation: Invitation, passwordsOff: boolean): string {
  if (invitation.capsule) return passwordsOff ? CONTINUE : ITS_YOURS;
  return `${byWhom(invitation)} ${passwordsOff ? CONTINUE : THERE}`;
}

/** Where registration is closed. */
function WhomToAsk({ inviter }: { inviter: string }) {
  const { isExample } = useContact();
  return (
    <p>
      To get an account,{' '}
      {isExample ? (
        `ask ${inviter} to put you in touch with whoever runs this site`
      ) : (
        <>
          write to <ContactLink />
        </>
      )}
      . Whatever was sealed for you waits here.
    </p>
  );
}

/** The seal of what waits behind the link, and whose it is. */
function OpenedFor({ capsule }: { capsule: NonNullable<Invitation['capsule']> }) {
  const { id, createdBy, createdAt, dateToUnlock } = capsule;
  return (
    <>
      <div className="stack centred">
        <Seal
          id={id}
          years={yearsOf(capsule)}
          progress={100}
          locked
          ajar
          day={dateToUnlock}
          size={160}
        />
      </div>
      <p>
        <bdi>{createdBy || 'Somebody'}</bdi> sealed a time capsule for you on {longDate(createdAt)}.
        It's open.
      </p>
    </>
  );
}

export function RefuseInvitationPage() {
  const token = useLinkToken();
  // The link of another invitation may open in this same page, which differs behind the # alone.
  return <Refusal key={token} token={token} />;
}

function Refusal({ token }: { token: string }) {
  const canRegister = useRegistration() === 'open';
  const [isRefused, setRefused] = useState(false);
  const { busy, failure, run } = useAction(
    async () => {
      await call(refuseInvitation, { body: { token } });
      setRefused(true);
    },
    (error) => sentenceFrom(error, INVALID_LINK),
  );

  if (isRefused) {
    return (
      <AuthFrame title="Invitation refused">
        <p role="status">
          We've removed your address, and you won't hear from us again.
          {canRegister && ' If you ever change your mind, you can create an account yourself.'}
        </p>
      </AuthFrame>
    );
  }
  return (
    <WithInvitation token={token}>
      {(invitation) => (
        <AuthFrame title="Refuse this invitation?">
          <p>
            {byWhom(invitation)} If you refuse, we remove{' '}
            <span className="strong breaks">{invitation.email}</span> from every capsule addressed
            to it, and won't write to it again, whoever asks. The people who sealed them will see
            that somebody refused.
          </p>
          <FormFailure message={failure} />
          <div className="cluster gap-12 sharing">
            <Button variant="danger" busy={busy} busyLabel="Refusing…" onClick={() => run()}>
              Refuse
            </Button>
            <ButtonLink to={`/auth?register=true#invitation=${token}`}>
              See your invitation
            </ButtonLink>
          </div>
        </AuthFrame>
      )}
    </WithInvitation>
  );
}

function byWhom({ inviterName, dateToUnlock, isByOperator }: Invitation): string {
  if (isByOperator) return 'Whoever runs this site has invited you.';
  if (inviterName === null) return 'Someone has a time capsule for you.';
  return dateToUnlock === undefined
    ? `${inviterName} would like to send you a time capsule.`
    : `${inviterName} has sealed a time capsule for you.`;
}

interface WithInvitationProps {
  token: string;
  /** The id of the one that has opened, where the email of its day led here. */
  capsule?: string | undefined;
  children: (invitation: Invitation) => ReactNode;
}

/** Asks whom the link is for, and shows its page, or that the link is good for nothing. */
function WithInvitation({ token, capsule, children }: WithInvitationProps) {
  const { data, error, isRefreshing, refresh } = useQuery(token || null, (signal) =>
    call(openInvitation, { body: { token, capsule }, signal }),
  );
  if (token === '') return <IncompleteLink />;
  if (data) return children(data);
  if (error === null || isRefreshing) {
    return (
      <AuthFrame title="You're invited">
        <Spinner label="Opening your invitation…" />
      </AuthFrame>
    );
  }
  const hasAccount = isAnswerOf(error, 'INVITATION_USED');
  const failure = sentenceFrom(error, INVALID_LINK);
  // It may be the connection.
  const mayBeGood = !hasAccount && !isAnswerOf(error, 'INVALID_INVITATION');
  return (
    <AuthFrame title="Your invitation">
      {hasAccount ? <p role="status">{failure}</p> : <FormFailure message={failure} />}
      {mayBeGood ? (
        <Button variant="primary" wide onClick={() => void refresh()}>
          Try again
        </Button>
      ) : (
        <>
          {!hasAccount && (
            <p className="quiet">
              It may have been used or refused, or have expired. If you've made your account, sign
              in. If not, we'll email you a new link: on the next page, enter the address you were
              invited with.
            </p>
          )}
          <div className="cluster gap-12 sharing">
            <ButtonLink to="/auth" variant="primary">
              Sign in
            </ButtonLink>
            {!hasAccount && <ButtonLink to="/auth/forgot-password">Get a new link</ButtonLink>}
          </div>
        </>
      )}
    </AuthFrame>
  );
}
