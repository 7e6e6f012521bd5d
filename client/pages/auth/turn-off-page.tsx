import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type TurnOffKind, turnNoticeOff } from '../../../shared/api/notices.ts';
import { call } from '../../api/client.ts';
import { sentenceFrom } from '../../api/errors.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import styles from './auth-frame.module.css';
import { AuthFrame } from './auth-frame.tsx';

/** Where "Turn these emails off" in an email leads. It asks first, because mail scanners open links. */
export function TurnOffPage() {
  const token = useSearchParams()[0].get('token') ?? '';
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const [kind, setKind] = useState<TurnOffKind | null>(null);

  const turnOff = async () => {
    setBusy(true);
    setFailure('');
    try {
      setKind((await call(turnNoticeOff, { query: { token } })).kind);
    } catch (error) {
      setFailure(sentenceFrom(error, "We couldn't turn them off. Please try again."));
    } finally {
      setBusy(false);
    }
  };

  if (kind) {
    return (
      <AuthFrame title="Emails turned off" follows>
        <p role="status">{WORDS[kind].done}</p>
        <p className={styles.quiet}>You can turn them on again in your profile.</p>
        <ButtonLink to="/profile" wide>
          Go to your profile
        </ButtonLink>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Turn these emails off">
      <p>{WORDS[kindOf(token)].question}</p>
      {failure && <FormFailure message={failure} />}
      <Button variant="primary" wide busy={isBusy} onClick={() => void turnOff()}>
        Turn them off
      </Button>
      <ButtonLink to="/" wide>
        Keep them
      </ButtonLink>
    </AuthFrame>
  );
}

function kindOf(token: string): TurnOffKind {
  const kind = token.split('.', 1)[0] ?? '';
  return Object.hasOwn(WORDS, kind) ? (kind as TurnOffKind) : 'capsule-waiting';
}

const WORDS = {
  'capsule-waiting': {
    question:
      "We won't write to you any more when somebody seals a capsule for you. You still see it on your dashboard, and hear from us when it opens.",
    done: "We won't write to you any more when somebody seals a capsule for you.",
  },
  'capsule-opened': {
    question:
      "We won't write to you any more when a capsule opens. You'd have to look at your dashboard to find out.",
    done: "We won't write to you any more when a capsule opens.",
  },
  keepsake: {
    question: "We won't remind you any more to save a copy of your capsules once a year.",
    done: "We won't remind you any more to save a copy of your capsules.",
  },
  'capsule-reminder': {
    question: "We won't remind you any more of a capsule that you haven't looked at a month later.",
    done: "We won't remind you any more of capsules you haven't looked at.",
  },
  'still-sealed': {
    question: "We won't write to you any more once a year about what you have sealed.",
    done: "We won't write to you any more about what you have sealed.",
  },
  'address-check': {
    question:
      "We won't ask you any more whether your address is still yours. Please tell us when it changes, so that your capsules reach you.",
    done: "We won't ask you any more whether your address is still yours.",
  },
} as const;
