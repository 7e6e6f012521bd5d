import type { ResponseOf } from '../../../shared/api/endpoint.ts';
import { type getRecoveryCodes, makeRecoveryCodes } from '../../../shared/api/recovery-codes.ts';
import { RECOVERY_CODES } from '../../../shared/limits.ts';
import { call } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { classes } from '../../components/classes.ts';
import { Printer } from '../../components/icon.tsx';
import { siteName } from '../../components/site-name.ts';
import { madeCodes } from '../../hooks/made-codes.ts';
import { useExternalStore } from '../../hooks/store.ts';
import { useMe } from '../../hooks/use-people.ts';
import type { Query } from '../../hooks/use-query.ts';
import { longDate } from '../format.ts';
import { Loaded } from '../loaded.tsx';
import { withPassword } from '../password-dialog.tsx';
import { copy } from '../tell.ts';
import paper from './recovery-codes.module.css';

/** Codes on paper, for the day on which the other address can't be read. */
export function RecoveryCodesCard({ book }: { book: Query<ResponseOf<typeof getRecoveryCodes>> }) {
  const { codes } = useExternalStore(madeCodes);
  const make = () =>
    withPassword({
      title: 'Make recovery codes?',
      text: (
        <p>
          You'll see {RECOVERY_CODES} codes, only once. Each works once.
          {book.data?.madeAt && ' Codes you made before stop working.'}
        </p>
      ),
      submit: 'Make them',
      send: async (password) => {
        const { codes } = await call(makeRecoveryCodes, { body: { password } });
        madeCodes.set({ codes });
        await book.refresh();
      },
    });

  return (
    <Card title="Recovery codes">
      {codes ? (
        <NewCodes codes={codes} onDone={() => madeCodes.set({ codes: null })} />
      ) : (
        <Loaded of={book} what="your recovery codes">
          {({ left, madeAt }) => (
            <div className="stack gap-16">
              <p>{WHAT_FOR}</p>
              <p className="strong">
                {madeAt === null
                  ? "You don't have any codes."
                  : `${left} of ${RECOVERY_CODES} codes left, made on ${longDate(madeAt)}.`}
              </p>
              <div className="cluster gap-12">
                <Button data-focus-home onClick={make}>
                  {madeAt === null ? 'Make recovery codes' : 'Make new codes'}
                </Button>
              </div>
            </div>
          )}
        </Loaded>
      )}
    </Card>
  );
}

const WHAT_FOR =
  'Lost a passkey or one of your email addresses? A recovery code gets you back in, with your password or a new one you choose by email.';

function NewCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const email = useMe().data?.email ?? 'your account';
  return (
    <div className={classes('stack gap-16', paper.sheet)}>
      <p tabIndex={-1} data-focus-home className="strong breaks">
        Recovery codes for {email} on {siteName()} ({location.host}),{' '}
        {longDate(new Date().toISOString())}
      </p>
      <p>{WHAT_FOR}</p>
      <p>
        We can't show them again. Print them or copy them to a safe place, but don't keep them in
        your email. Each works once. If a new password takes effect within seven days, they all end.
      </p>
      <ol className={`stack gap-8-16 ${paper.codes}`}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="cluster gap-12">
        <Button icon={Printer} onClick={() => window.print()}>
          Print
        </Button>
        <Button onClick={() => void copy(codes.join('\n'))}>Copy</Button>
        <Button
          variant="primary"
          onClick={({ currentTarget }) => {
            // The codes above go, and would leave the page at its end.
            currentTarget.closest('section')?.scrollIntoView();
            onDone();
          }}
        >
          I've saved them
        </Button>
      </div>
    </div>
  );
}
