import { type ReactNode, useId } from 'react';
import { Button } from './button.tsx';
import type { File as Icon } from './icon.tsx';

interface StripProps {
  icon: typeof Icon;
  title: string;
  text: string;
  onDismiss: () => void;
  /** What to do about it, before "Not now". */
  children: ReactNode;
}

/** A line across the page that tells something, or offers it, until it is put aside. */
export function Strip({ icon: Mark, title, text, onDismiss, children }: StripProps) {
  const id = useId();
  return (
    <aside className="strip cluster middle" aria-labelledby={id}>
      <Mark size={20} />
      <p>
        <strong id={id}>{title}</strong>
        <span>{text}</span>
      </p>
      <div className="cluster gap-8">
        {children}
        <Button variant="quiet" onClick={onDismiss}>
          Not now
        </Button>
      </div>
    </aside>
  );
}
