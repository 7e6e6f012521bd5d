import { type ReactNode, useId } from 'react';
import type { Addresses, AddressSlot } from '../../../shared/api/addresses.ts';
import { UNDO_DAYS } from '../../../shared/limits.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { CircleAlert, CircleCheck } from '../../components/icon.tsx';
import { toasts } from '../../components/toast.tsx';
import { useAddresses } from '../../hooks/use-addresses.ts';
import { useNow } from '../../hooks/use-now.ts';
import { changeFailure } from '../change-failure.ts';
import { dayAndTimeText, longDate } from '../format.ts';
import { Loaded } from '../loaded.tsx';
import { withPassword } from '../password-dialog.tsx';
import { ProfilePart } from '../profile-part.tsx';

/** Where the person's emails go, and what happens when an address fails. */
export function AddressesPage() {
  const book = useAddresses();
  return (
    <ProfilePart title="Your email addresses" under="Emails">
      <Loaded of={book} what="your addresses">
        {(addresses) => <Shown addresses={addresses} book={book} />}
      </Loaded>
    </ProfilePart>
  );
}

type AddressBook = ReturnType<typeof useAddresses>;
type Question = Omit<Parameters<typeof withPassword>[0], 'submit' | 'done'>;

const TOLD = `We'll write to the addresses you have now, and whoever reads them can undo this for ${UNDO_DAYS} days.`;

function Shown({ addresses, book }: { addresses: Addresses; book: AddressBook }) {
  const { email, isConfirmed, bouncedAt, secondEmail, pending, passwordWaitsUntil } = addresses;
  const change = async (work: Promise<void>, news: string) => {
    try {
      await work;
      toasts.success(news);
    } catch (error) {
      toasts.failure(changeFailure(error, "We couldn't save this. Please try again."));
    }
  };
  const sendLink = (question: Question) =>
    withPassword({ submit: 'Send the link', done: "We've sent the link.", ...question });
  /** An address that is asked for again stands in its form already. */
  const changeAddress = {
    main: (to = '') =>
      sendLink({
        title: 'Change your main address',
        text: (
          <p>
            We'll send a link to the new address. Once you've confirmed it there, you sign in with
            it. {TOLD}
            {secondEmail !== null &&
              ` If it's your second address, ${isConfirmed === false ? "the one you have now leaves your account, because it isn't confirmed." : 'the two change places.'}`}
          </p>
        ),
        email: to,
        send: (password, email) => book.changeMain({ email, password }),
      }),
    second: (to = '') =>
      sendLink({
        title: secondEmail === null ? 'Add a second address' : 'Change your second address',
        text: (
          <>
            <p>
              We'll send a link to the new address. It's added once you've confirmed it there.{' '}
              {TOLD}
            </p>
            <p>
              {isConfirmed === false && 'Please confirm your main address as well. '}
              With two confirmed addresses, nobody can take your account from one of them. A new
              password that you choose by email needs a yes from your other address (or a week's
              wait).
            </p>
          </>
        ),
        email: to,
        send: (password, email) => book.changeSecond({ email, password }),
      }),
  };
  const confirmMain = () =>
    sendLink({
      title: 'Confirm your main address',
      text: (
        <p>
          We'll send a link to <span className="strong breaks">{email}</span>. Once you've confirmed
          it there, a second address protects your account.
        </p>
      ),
      send: (password) => book.changeMain({ email, password }),
    });
  const removeSecond = () =>
    withPassword({
      title: 'Remove your second address?',
      text: (
        <p>
          We won't send emails about capsules to{' '}
          <span className="strong breaks">{secondEmail}</span> any more. If your main address fails,
          you may not get back in. {TOLD} Until then, it can also say yes or no to a new password.
        </p>
      ),
      submit: 'Remove it',
      variant: 'danger',
      send: (password) => book.removeSecond(password),
      done: 'Your second address is removed.',
    });
  const stop = () =>
    withPassword({
      title: 'Stop the new password?',
      text: <p>It will never take effect. The password you have now keeps working.</p>,
      submit: 'Stop it',
      send: (password) => book.stopPassword(password),
      done: 'The new password is stopped. Yours still works.',
    });
  const waiting = (does: AddressSlot) =>
    pending
      .filter(({ which }) => which === does)
      .map((one) => (
        <Pending
          key={one.email}
          address={one}
          onAgain={() =>
            void (one.email === email ? confirmMain() : changeAddress[does](one.email))
          }
          onWithdraw={() => void change(book.withdraw(does), 'The link is withdrawn.')}
        />
      ));

  const mainWaits = waiting('main');

  return (
    <>
      {passwordWaitsUntil !== null && (
        <Card title="A new password is waiting">
          <div className="stack gap-12">
            <p>
              Somebody chose it with a link that we sent to one of your addresses. We've asked the
              other one. Without an answer, the new password takes effect on{' '}
              {longDate(passwordWaitsUntil)}.
            </p>
            <p>
              If it was you, say yes in that email. If it wasn't, stop it here, and change the
              address that somebody else can read.
            </p>
            <div className="cluster gap-12">
              <Button onClick={stop}>Stop it</Button>
            </div>
          </div>
        </Card>
      )}
      <Card title="Main address">
        <div className="stack gap-12">
          <p className="quiet">
            You sign in with it, others send capsules to it, and we write to it.
          </p>
          <p className="strong breaks">{email}</p>
          {bouncedAt !== null && (
            <State fails>Emails to it have been coming back since {longDate(bouncedAt)}.</State>
          )}
          {isConfirmed === false && (
            <State fails>
              Not confirmed yet. Until it is, a second address doesn't protect your account.
            </State>
          )}
          {bouncedAt === null && isConfirmed && (
            <State>It's confirmed, and no email to it has come back.</State>
          )}
          <div className="cluster gap-12">
            {isConfirmed === false && mainWaits.length === 0 && (
              <Button onClick={confirmMain}>Confirm it</Button>
            )}
            {bouncedAt !== null && (
              <Button
                onClick={() => void change(book.keepMain(), "We'll keep writing to this address.")}
              >
                This address works
              </Button>
            )}
            <Button onClick={() => void changeAddress.main()}>Change main address</Button>
          </div>
          {mainWaits}
        </div>
      </Card>
      <Card title="Second address">
        <div className="stack gap-12">
          <p className="quiet">
            Email addresses rarely last for decades. With a second one, you still hear from us and
            can get back in when the main one fails. Nobody else sees it.
          </p>
          {secondEmail !== null && <p className="strong breaks">{secondEmail}</p>}
          <div className="cluster gap-12">
            <Button onClick={() => void changeAddress.second()}>
              {secondEmail === null ? 'Add a second address' : 'Change second address'}
            </Button>
            {secondEmail !== null && (
              <>
                <Button onClick={() => void changeAddress.main(secondEmail)}>
                  Make it the main one
                </Button>
                <Button onClick={removeSecond}>Remove it</Button>
              </>
            )}
          </div>
          {waiting('second')}
        </div>
      </Card>
    </>
  );
}

function State({ fails = false, children }: { fails?: boolean; children: ReactNode }) {
  const Mark = fails ? CircleAlert : CircleCheck;
  return (
    <p className={`row gap-8 top ${fails ? 'orange' : 'verdigris'}`}>
      <Mark size={18} />
      <span>{children}</span>
    </p>
  );
}

interface PendingProps {
  address: Addresses['pending'][number];
  onAgain: () => void;
  onWithdraw: () => void;
}

/** An address that isn't confirmed yet. An operator's change takes effect on a day. */
function Pending({ address, onAgain, onWithdraw }: PendingProps) {
  const { which, email, askedAt, takesEffectAt } = address;
  const now = useNow();
  const id = useId();
  return (
    <div className={'stack gap-12 line-above pad-above'}>
      <p id={id}>
        {takesEffectAt ? 'Whoever runs this site sent' : 'We sent'} a link to{' '}
        <span className="strong breaks">{email}</span> ({dayAndTimeText(Date.parse(askedAt), now)}
        ).{' '}
        {takesEffectAt
          ? `Once it's confirmed there, it becomes your ${which} address on ${longDate(takesEffectAt)}. If you didn't ask for this, withdraw it.`
          : "Nothing changes until you confirm it there. Didn't get it? Check your spam folder, or ask for another link."}
      </p>
      <div className="cluster gap-12">
        {!takesEffectAt && (
          <Button aria-describedby={id} onClick={onAgain}>
            Send another link
          </Button>
        )}
        <Button aria-describedby={id} onClick={onWithdraw}>
          Withdraw
        </Button>
      </div>
    </div>
  );
}
