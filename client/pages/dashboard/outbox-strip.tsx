import { Link } from 'react-router-dom';
import { classes } from '../../components/classes.ts';
import { Send } from '../../components/icon.tsx';
import type { OutboxRow } from '../../db/tables.ts';
import { needsLaterDay } from '../outbox/outbox-item.ts';
import strip from '../strip.module.css';
import styles from './dashboard.module.css';

/** One line about capsules that wait to be sent. */
export function OutboxStrip({ items, now }: { items: readonly OutboxRow[]; now: Date }) {
  const stuck = items.filter((item) => needsPerson(item, now)).length;
  return (
    <p className={classes(`cluster middle ${strip.strip}`, styles.strip)}>
      <Send size={18} aria-hidden="true" />
      <span>
        {items.length === 1
          ? '1 capsule is waiting to be sent.'
          : `${items.length} capsules are waiting to be sent.`}
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
