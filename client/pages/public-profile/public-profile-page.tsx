import type { CSSProperties } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import type { PublicProfile } from '../../../shared/api/community.ts';
import { NO_SUCH_PROFILE } from '../../../shared/sentences.ts';
import { sentenceFrom } from '../../api/errors.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ArrowLeft, Inbox, Send } from '../../components/icon.tsx';
import { usePageTitle } from '../../components/page-title.ts';
import { usePublicProfile } from '../../hooks/use-people.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { createFor, displayName, firstName } from '../format.ts';
import { PersonMenu } from '../people/person-menu.tsx';
import { PersonFacts } from '../person-facts.tsx';
import styles from './public-profile.module.css';

export function PublicProfilePage() {
  const { userId = '' } = useParams();
  const { data, error } = usePublicProfile(userId);
  if (data?.profile) return <Profile profile={data.profile} />;
  if (data) return <NotFound reason={NO_SUCH_PROFILE} />;
  return error === null ? <Waiting /> : <NotFound reason={reasonOf(error)} />;
}

function Profile({ profile }: { profile: PublicProfile }) {
  usePageTitle(displayName(profile));
  const userId = useUserId();
  const { id, avatar, name, email, createdCapsulesCount, receivedCapsulesCount } = profile;
  return (
    <div className="person-page stack gap-24 top">
      <Card className="stack gap-16 centred">
        {userId !== null && userId !== id && <PersonMenu person={profile} />}
        <Avatar avatar={avatar} name={name} size={112} />
        <PersonFacts person={profile} />
        {userId !== null && userId !== id && email !== '' && (
          <ButtonLink to={createFor(email)} variant="primary">
            Create a capsule for {firstName({ name: displayName(profile) })}
          </ButtonLink>
        )}
      </Card>
      <div className="stack gap-24">
        <dl className={`stack outlined ${styles.counts}`}>
          <div className="stack middle">
            <Send className="copper" size={20} />
            <dt>Capsules Created</dt>
            <dd>{createdCapsulesCount}</dd>
          </div>
          <div className="stack middle">
            <Inbox className="copper" size={20} />
            <dt>Capsules Received</dt>
            <dd>{receivedCapsulesCount}</dd>
          </div>
        </dl>
        <Card title="Public Capsules">
          <p>Public capsule sharing coming soon!</p>
        </Card>
      </div>
    </div>
  );
}

function NotFound({ reason }: { reason: string }) {
  const navigate = useNavigate();
  usePageTitle('Profile Not Found');
  // A page opened by a link has no history to go back to.
  const goBack = () => (history.length > 1 ? navigate(-1) : navigate('/'));
  return (
    <div className={`stack gap-16 to-start ${styles.missing}`}>
      <h1 tabIndex={-1}>Profile Not Found</h1>
      <p>{reason}</p>
      <Button icon={ArrowLeft} onClick={() => void goBack()}>
        Go Back
      </Button>
    </div>
  );
}

function Waiting() {
  return (
    <div className="person-page stack gap-24 top">
      <p className="visually-hidden" role="status">
        Loading profile...
      </p>
      <Card className="stack gap-16 centred">
        <Skeleton inlineSize="112px" blockSize="112px" borderRadius="50%" />
        <Skeleton inlineSize="70%" blockSize="2rem" />
        <Skeleton inlineSize="50%" blockSize="1rem" />
      </Card>
      <div className="stack gap-24">
        <Skeleton blockSize="6rem" />
        <Skeleton blockSize="8rem" />
      </div>
    </div>
  );
}

/** Where something will be. */
function Skeleton(style: CSSProperties) {
  return <span className={`sunken ${styles.skeleton}`} aria-hidden="true" style={style} />;
}

function reasonOf(error: unknown): string {
  return sentenceFrom(error, 'Failed to load profile') || NO_SUCH_PROFILE;
}
