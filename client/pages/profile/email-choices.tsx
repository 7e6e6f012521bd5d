import { useId } from 'react';
import type { EmailChoices as Choices } from '../../../shared/api/email-choices.ts';
import { Card } from '../../components/card.tsx';
import { Switch } from '../../components/switch.tsx';
import { toasts } from '../../components/toast.tsx';
import { useEmailChoices } from '../../hooks/use-email-choices.ts';
import { changeFailure } from '../change-failure.ts';
import { NOT_TOLD_ON_THE_DAY } from '../notice-words.ts';
import { PushChoice } from './push-choice.tsx';
import styles from './settings.module.css';

/** Which emails the person wants, and whether this device tells them. */
export function EmailChoices() {
  const id = useId();
  const { choices, choose } = useEmailChoices();
  const isToldOfOpenings = choices?.opened ?? true;

  const change = async (changed: Partial<Choices>) => {
    try {
      await choose(changed);
    } catch (error) {
      toasts.failure(changeFailure(error, "We couldn't save this. Please try again."));
    }
  };

  return (
    <Card title="Notifications">
      <div className="stack gap-24">
        <div className={`stack gap-12 to-start ${styles.part}`}>
          <p>We'll always send links you ask for. What else should we email you about?</p>
          <Switch
            label="When somebody seals a capsule for you"
            checked={choices?.waiting ?? true}
            onChange={(waiting) => void change({ waiting })}
          />
          <Switch
            label="When a capsule opens"
            checked={isToldOfOpenings}
            hint={isToldOfOpenings ? '' : NOT_TOLD_ON_THE_DAY}
            onChange={(opened) => void change({ opened })}
          />
          <Switch
            label="A reminder, if you haven't opened it after a month"
            checked={isToldOfOpenings && (choices?.reminder ?? true)}
            disabled={!isToldOfOpenings}
            hint={isToldOfOpenings ? '' : REMINDER_NEEDS}
            onChange={(reminder) => void change({ reminder })}
          />
          <Switch
            label="Once a year, to check that we can still reach you"
            checked={choices?.addressCheck ?? true}
            onChange={(addressCheck) => void change({ addressCheck })}
          />
        </div>
        <div className={`stack gap-12 to-start ${styles.part}`}>
          <label htmlFor={id}>When you've read a capsule</label>
          <select
            id={id}
            className={`target control ${styles.select}`}
            value={choices?.read ?? 'ask'}
            onChange={({ target }) => {
              const read = READ_CHOICES.find(([value]) => value === target.value)?.[0];
              if (read) void change({ read });
            }}
          >
            {READ_CHOICES.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </div>
        <PushChoice />
      </div>
    </Card>
  );
}

const READ_CHOICES = [
  ['ask', 'Ask me each time'],
  ['always', 'Always let the sender know'],
  ['never', 'Never let the sender know'],
] as const;

const REMINDER_NEEDS = 'Turn on “When a capsule opens” to get reminders.';
