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

/** 'N / max', in a warning colour and announced politely once the limit comes near. */
export function Counter({ length, max, late }: CounterProps) {
  const near = length >= max * NEAR;
  const left = max - length;
  return (
    <>
      {(near || !late) && (
        <span className={classes('stamp', styles.counter, near && styles.near)} aria-hidden="true">
          {length} / {max}
        </span>
      )}
      <span className="visually-hidden" role="status">
        {near && (left < 0 ? `${-left} characters too many` : `${left} of ${max} characters left`)}
      </span>
    </>
  );
}
