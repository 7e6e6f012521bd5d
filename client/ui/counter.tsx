import { classes } from './classes.ts';
import styles from './field.module.css';

/** From this share of the limit on, the counter warns. */
const NEAR = 0.9;

interface CounterProps {
  length: number;
  max: number;
  /** Not seen before the limit comes near: for what nearly nobody fills. */
  late?: boolean | undefined;
}

const tooMany = (count: number) =>
  count === 1 ? '1 character too many' : `${count} characters too many`;

/** 'N / max', in a warning colour and announced politely once the limit comes near; in red beyond it. */
export function Counter({ length, max, late }: CounterProps) {
  const near = length >= max * NEAR;
  const left = max - length;
  return (
    <>
      {(near || !late) && (
        <span
          className={classes('stamp', styles.counter, near && styles.near, left < 0 && styles.over)}
          aria-hidden="true"
        >
          {length} / {max}
        </span>
      )}
      <span className="visually-hidden" role="status">
        {near && (left < 0 ? tooMany(-left) : `${left} of ${max} characters left`)}
      </span>
    </>
  );
}
