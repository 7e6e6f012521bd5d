import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { lookAtLink } from '../../../shared/api/addresses.ts';
import { call } from '../../api/client.ts';
import { CallError, isAnswerOf, isConnectionError, sentenceFrom } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useContact } from '../../hooks/use-contact.ts';
import { useLinkToken } from '../../hooks/use-link-token.ts';
import { useQuery } from '../../hooks/use-query.ts';
import { useAction } from '../use-action.ts';
import { ADDRESS_LINKS } from './address-links.tsx';
import { AuthFrame, IncompleteLink } from './auth-frame.tsx';
import type { After, EmailLink, Known } from './email-link.tsx';
import { NEWS_LINKS } from './news-links.tsx';

const LINKS: Record<string, (known: Known) => EmailLink> = { ...ADDRESS_LINKS, ...NEWS_LINKS };

/** Where the links in emails lead. Nothing happens before a press, because mail scanners open them. */
export function EmailLinkPage() {
  const token = useLinkToken();
  const { provider = 'The other account', passwordsOff = false } = useContact();
  const names = useLocation().pathname.toLowerCase().split('/');
  const link = LINKS[names[2] ?? '']?.({ token, provider, passwordsOff });
  // The link of another email may open in this same page, which differs behind the # alone.
  return link && <OneLink key={token} token={token} {...link} />;
}

function OneLink(props: EmailLink & { token: string }) {
  const { token, title, purpose, text, answers, otherwise, invalid } = props;
  const [pressed, setPressed] = useState('');
  const dead: After = { title: "This link doesn't work any more", ...invalid };
  const [said, setAfter] = useState<After | null>(null);
  // Without a connection the page is shown all the same, and pressing says what it needs.
  const { data, error } = useQuery(purpose && token && !said ? token : null, (signal) =>
    purpose ? call(lookAtLink, { body: { token, purpose }, signal }) : Promise.resolve(null),
  );
  const after = said ?? (!data && isAnswerOf(error, 'INVALID_ADDRESS_LINK') ? dead : null);
  const { busy, failure, run } = useAction(
    async ({ label, send }: EmailLink['answers'][number]) => {
      setPressed(label);
      try {
        setAfter(await send(token));
      } catch (error) {
        if (!(error instanceof CallError) || error.status !== 400) throw error;
        setAfter(dead);
      }
    },
    failureOf,
  );

  if (token === '') return <IncompleteLink>{invalid.next}</IncompleteLink>;
  if (after) {
    return (
      <AuthFrame title={after.title}>
        <p role="status">{after.text}</p>
        <div className="cluster gap-12 sharing">{after.next}</div>
      </AuthFrame>
    );
  }
  if (purpose && !data && error === null) {
    return (
      <AuthFrame title={title}>
        <Spinner label="Reading the link…" />
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title={title}>
      <p>
        {data?.message} {text}
      </p>
      <FormFailure message={failure} />
      <div className="cluster gap-12 sharing">
        {answers.map((answer) => (
          <Button
            key={answer.label}
            // Where there is a choice, no answer is suggested.
            variant={answers.length === 1 ? 'primary' : 'secondary'}
            busy={busy && pressed === answer.label}
            busyLabel={answer.busyLabel}
            disabled={busy && pressed !== answer.label}
            onClick={() => run(answer)}
          >
            {answer.label}
          </Button>
        ))}
        {otherwise}
      </div>
    </AuthFrame>
  );
}

function failureOf(error: unknown): string {
  return isConnectionError(error)
    ? 'You need a connection for this. Please try again when you have one.'
    : sentenceFrom(error, "That didn't work. Please try again.");
}
