import { Link } from 'react-router-dom';
import type { OutboxRow } from '../../local/db.ts';
import { Send } from '../../ui/icon.tsx';
import { needsLaterDay } from '../outbox/outbox-words.ts';
import styles from './outbox-strip.module.css';

/** One line about what has not left this device. */
export function OutboxStrip({ items, now }: { items: readonly OutboxRow[]; now: Date }) {
  const stuck = items.filter((item) => needsPerson(item, now)).length;
  return (
    <p className={styles.strip}>
      <Send size={18} aria-hidden="true" />
      <span>
        {items.length === 1
          ? '1 capsule has not been sent yet.'
          : `${items.length} capsules have not been sent yet.`}
        {stuck > 0 && (stuck === 1 ? ' 1 needs your attention.' : ` ${stuck} need your attention.`)}
      </span>
      <Link to="/outbox">Open outbox</Link>
    </p>
  );
}

function needsPerson(item: OutboxRow, now: Date): boolean {
  const states = ['needs-fix', 'storage-full', 'needs-sign-in'];
  return states.includes(item.state) || needsLaterDay(item, now);
}
