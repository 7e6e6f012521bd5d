import { UNDO_DAYS } from '../../../shared/limits.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { useIdentity } from '../../hooks/provider.ts';
import { longDate } from '../format.ts';
import { Loaded } from '../loaded.tsx';
import { withPassword } from '../password-dialog.tsx';

/** The person's account at the identity provider. */
export function ProviderCard({ provider }: { provider: string }) {
  const identity = useIdentity();
  const link = () =>
    withPassword({
      title: `Link ${provider}?`,
      text: (
        <p>
          You sign in there, and come back. We email all of your addresses, with a link that unlinks
          it for {UNDO_DAYS} days.
        </p>
      ),
      submit: `Go to ${provider}`,
      send: (password) => identity.link(password),
    });
  const unlink = () =>
    withPassword({
      title: `Unlink ${provider}?`,
      text: <p>Your account there won't sign you in here any more. It stays as it is there.</p>,
      submit: 'Unlink it',
      variant: 'danger',
      send: (password) => identity.unlink(password),
      done: `${provider} is unlinked.`,
    });

  return (
    <Card title={provider}>
      <Loaded of={identity} what={`your account at ${provider}`}>
        {({ linkedAt }) => (
          <div className="stack gap-16">
            {linkedAt ? (
              <p>
                Your account at {provider} signs you in here. It's linked since {longDate(linkedAt)}
                .
              </p>
            ) : (
              <p>
                Link your account at {provider}, and you can sign in here with it. Its email address
                may be another one.
              </p>
            )}
            <div className="cluster gap-12">
              {linkedAt ? (
                <Button onClick={unlink}>Unlink {provider}</Button>
              ) : (
                <Button onClick={link}>Link {provider}</Button>
              )}
            </div>
          </div>
        )}
      </Loaded>
    </Card>
  );
}
