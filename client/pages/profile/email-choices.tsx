import { useId } from 'react';
import type { EmailChoices as Choices } from '../../../shared/api/email-choices.ts';
import { Card } from '../../components/card.tsx';
import { Switch } from '../../components/switch.tsx';
import { saveEmailChoices, useEmailChoices } from '../../hooks/use-email-choices.ts';
import { Loaded } from '../loaded.tsx';
import { NOT_TOLD_ON_THE_DAY } from '../notice-words.ts';
import { useChoice } from '../use-choice.ts';
import { PushChoice } from './push-choice.tsx';
import styles from './settings.module.css';

/** Which emails the person wants, and whether this device tells them. */
export function EmailChoices() {
  const stored = useEmailChoices();
  return (
    <Card title="Notifications">
      <div className="stack gap-24">
        <div className={`stack gap-24 ${styles.choices}`}>
          <Loaded of={stored} what="which emails you get">
            {(choices) => <Choose stored={choices} />}
          </Loaded>
        </div>
        <PushChoice />
      </div>
    </Card>
  );
}

function Choose({ stored }: { stored: Choices }) {
  const id = useId();
  const { choice, choose } = useChoice(stored);
  const { waiting, opened, reminder = true, addressCheck = true, read = 'ask' } = choice;
  const change = (changed: Partial<Choices>) =>
    choose({ ...choice, ...changed }, () => saveEmailChoices(choice, changed));
  return (
    <>
      <div className={`stack gap-12 to-start ${styles.part}`}>
        <p>We'll always send links you ask for. What else should we email you about?</p>
        <Switch
          label="When somebody seals a capsule for you"
          checked={waiting}
          onChange={(waiting) => change({ waiting })}
        />
        <Switch
          label="When a capsule opens"
          checked={opened}
          hint={opened ? '' : NOT_TOLD_ON_THE_DAY}
          onChange={(opened) => change({ opened })}
        />
        <Switch
          label="A reminder, if you haven't opened it after a month"
          checked={opened && reminder}
          disabled={!opened}
          hint={opened ? '' : REMINDER_NEEDS}
          onChange={(reminder) => change({ reminder })}
        />
        <Switch
          label="Once a year, to check that we can still reach you"
          checked={addressCheck}
          onChange={(addressCheck) => change({ addressCheck })}
        />
      </div>
      <div className={`stack gap-12 to-start ${styles.part}`}>
        <label htmlFor={id}>When you've read a capsule</label>
        <select
          id={id}
          className={`target control ${styles.select}`}
          value={read}
          onChange={({ target }) => {
            const read = READ_CHOICES.find(([value]) => value === target.value)?.[0];
            if (read) change({ read });
          }}
        >
          {READ_CHOICES.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </div>
    </>
  );
}

const READ_CHOICES = [
  ['ask', 'Ask me each time'],
  ['always', 'Always let the sender know'],
  ['never', 'Never let the sender know'],
] as const;

const REMINDER_NEEDS = 'Turn on “When a capsule opens” to get reminders.';
