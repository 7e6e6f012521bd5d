import type { ComponentProps, ComponentType } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import styles from './button.module.css';
import { classes } from './classes.ts';
import { SpinnerMark } from './spinner.tsx';

/** One of `icon.tsx`, or like them. */
export type Icon = ComponentType<{ size?: number }>;

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';

interface Look {
  variant?: ButtonVariant;
  /** Decorative, before the text. */
  icon?: Icon | undefined;
  /** Takes the full width of its container. */
  wide?: boolean;
}

interface ButtonProps extends Look, ComponentProps<'button'> {
  /** While true, it cannot be pressed, keeps the focus and shows `busyLabel`. */
  busy?: boolean;
  busyLabel?: string;
}

function look({ variant = 'secondary', wide }: Look, className?: string): string {
  return classes(
    'inline-row gap-8 mid-row target strong rounded',
    styles.button,
    styles[variant],
    variant === 'quiet' && 'copper',
    wide && 'wide',
    className,
  );
}

export function Button({
  variant,
  icon,
  wide,
  busy = false,
  busyLabel,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const Mark = busy ? SpinnerMark : icon;
  return (
    <button
      {...rest}
      type={busy && type === 'submit' ? 'button' : type}
      className={look({ variant, wide }, className)}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : onClick}
    >
      {Mark && <Mark size={18} />}
      <span>{busy ? (busyLabel ?? children) : children}</span>
    </button>
  );
}

interface ButtonLinkProps extends Look, Omit<LinkProps, 'className'> {}

/** A link that looks like a button. */
export function ButtonLink({ variant, icon: Mark, wide, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={look({ variant, wide })}>
      {Mark && <Mark size={18} />}
      <span>{children}</span>
    </Link>
  );
}
