import { type TurnOffKind, turnNoticeOffHere } from '../../../shared/api/email-choices.ts';
import { call } from '../../api/client.ts';
import { ButtonLink } from '../../components/button.tsx';
import { useLinkToken } from '../../hooks/use-link-token.ts';
import { NOT_TOLD_ON_THE_DAY } from '../notice-words.ts';
import { EmailLink } from './email-link.tsx';

/** Where "Turn these emails off" in an email leads. */
export function TurnOffPage() {
  const kind = kindOf(useLinkToken());
  return (
    <EmailLink
      title="Turn these emails off"
      text={WORDS[kind].question}
      answers={[
        {
          label: 'Turn them off',
          busyLabel: 'Turning off…',
          async send(token) {
            const { kind } = await call(turnNoticeOffHere, { body: { token } });
            return {
              title: 'Emails turned off',
              text: `${WORDS[kind].done} You can turn them on again under “Emails” on your profile.`,
              next: <ButtonLink to="/profile/emails">Go to your emails</ButtonLink>,
            };
          },
        },
      ]}
      otherwise={<ButtonLink to="/">Keep them</ButtonLink>}
      invalid={{
        text: 'You can turn emails off under “Emails” on your profile.',
        next: <ButtonLink to="/profile/emails">Go to your emails</ButtonLink>,
      }}
    />
  );
}

/** Yearly emails of before. Their links turn off the one that has taken their place. */
const YEARLY_BEFORE = ['keepsake', 'still-sealed'];

function kindOf(token: string): TurnOffKind {
  const kind = token.split('.', 1)[0] ?? '';
  if (YEARLY_BEFORE.includes(kind)) return 'address-check';
  return Object.hasOwn(WORDS, kind) ? (kind as TurnOffKind) : 'capsule-waiting';
}

const WORDS = {
  'capsule-waiting': {
    question:
      "We'll stop emailing you when someone seals a capsule for you. You'll still see it on your dashboard and hear from us when it opens.",
    done: "We won't email you any more when someone seals a capsule for you.",
  },
  'capsule-opened': {
    question: NOT_TOLD_ON_THE_DAY,
    done: "We won't email you any more when a capsule opens.",
  },
  'capsule-reminder': {
    question: "We'll stop reminding you of capsules you haven't opened after a month.",
    done: "We won't remind you any more of capsules you haven't opened.",
  },
  'address-check': {
    question:
      "We'll stop asking whether your address is still yours. Please tell us when it changes, so that your capsules reach you.",
    done: "We won't ask you any more whether your address is still yours.",
  },
} as const;
