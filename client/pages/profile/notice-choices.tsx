import type { NoticeChoices as Choices } from '../../../shared/api/notices.ts';
import { Card } from '../../components/card.tsx';
import { Switch } from '../../components/switch.tsx';
import { toasts } from '../../components/toast.tsx';
import { useNoticeChoices } from '../../hooks/use-notice-choices.ts';
import styles from './account-data.module.css';
import { changeFailure } from './change-failure.ts';
import { PushChoice } from './push-choice.tsx';

/** Which emails the person wants, and whether this device tells them. */
export function NoticeChoices() {
  const { choices, choose } = useNoticeChoices();

  const change = async (changed: Partial<Choices>) => {
    try {
      await choose(changed);
    } catch (error) {
      toasts.failure(changeFailure(error, "We couldn't save this. Please try again."));
    }
  };

  return (
    <Card title="Notifications">
      <div className={styles.card}>
        <div className={styles.part}>
          <p>You always get the links you ask for. Choose what else we email you about:</p>
          <Switch
            label="When somebody seals a capsule for you"
            checked={choices?.waiting ?? true}
            onChange={(waiting) => void change({ waiting })}
          />
          <Switch
            label="When a capsule opens"
            checked={choices?.opened ?? true}
            onChange={(opened) => void change({ opened })}
          />
          <Switch
            label="Once more, when you haven't looked a month later"
            checked={choices?.reminder ?? true}
            onChange={(reminder) => void change({ reminder })}
          />
          <Switch
            label="Once a year, to ask whether your address is still yours"
            checked={choices?.addressCheck ?? true}
            onChange={(addressCheck) => void change({ addressCheck })}
          />
          <Switch
            label="Once a year, about what you have sealed: one more ring"
            checked={choices?.stillSealed ?? false}
            onChange={(stillSealed) => void change({ stillSealed })}
          />
          <Switch
            label="Once a year, with a link to save a copy of everything"
            checked={choices?.keepsake ?? false}
            onChange={(keepsake) => void change({ keepsake })}
          />
        </div>
        <PushChoice />
      </div>
    </Card>
  );
}
