import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'aria-label'> {
  /** Its accessible name. */
  label: string;
  /** The icon, hidden from screen readers. */
  children: ReactNode;
}

/** A button of one icon, as large as a finger needs. */
export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      className={classes('rigid quiet wakes centre square rounded', className)}
      aria-label={label}
    />
  );
}
