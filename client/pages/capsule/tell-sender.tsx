import { useEffect, useState } from 'react';
import type { Capsule } from '../../../shared/api/capsules.ts';
import { getNoticeChoices } from '../../../shared/api/email-choices.ts';
import { call } from '../../api/client.ts';
import { messageFrom } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { useOnline } from '../../hooks/device-state.ts';
import { tellSender } from '../../hooks/use-capsules.ts';
import { useEmailChoices } from '../../hooks/use-email-choices.ts';
import { firstName } from '../format.ts';
import { useAction } from '../use-action.ts';
import styles from './tell-sender.module.css';

/**
 * Asks once, beneath the letter, whether its sender may know. Without a connection it is asked another
 * time.
 */
export function TellSender({ capsule: { id, senderName } }: { capsule: Capsule }) {
  const { data: choices } = useEmailChoices();
  const online = useOnline();
  const name = firstName({ name: senderName });
  const [given, setGiven] = useState<boolean | null>(null);
  // What was chosen before is done once, and shown. The device may not know yet that it was taken back.
  const isAlways = choices?.read === 'always';
  useEffect(() => {
    const tell = async () => {
      if ((await call(getNoticeChoices)).read !== 'always') return;
      await tellSender(id, true);
      setGiven((before) => before ?? true);
    };
    if (isAlways) void tell().catch(() => undefined);
  }, [id, isAlways]);

  const { failure, run } = useAction(
    async (tell: boolean) => {
      await tellSender(id, tell);
      setGiven(tell);
    },
    (error) => messageFrom(error, 'Please try again.'),
  );
  if (given !== null) {
    return (
      <p className="quiet small" role="status" tabIndex={-1} data-focus-home>
        {given ? `${name} knows you've read it.` : `We won't tell ${name}.`}
      </p>
    );
  }
  if (!online || choices?.read !== 'ask') return null;
  return (
    <section className={`cluster middle lines ${styles.question}`} aria-labelledby="tell-sender">
      <p id="tell-sender">Let {name} know that you've read it?</p>
      <div className={`cluster ${styles.answers}`}>
        <Button variant="quiet" onClick={() => run(true)}>
          Yes
        </Button>
        <Button variant="quiet" onClick={() => run(false)}>
          Not now
        </Button>
      </div>
      <p className={'silent red small wide'} role="alert">
        {failure}
      </p>
    </section>
  );
}
