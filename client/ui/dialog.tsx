import { type ReactNode, useId } from 'react';
import { classes } from './classes.ts';
import styles from './dialog.module.css';
import { X } from './icon.tsx';

export interface DialogProps {
  open: boolean;
  /** Its heading and its name. */
  title: string;
  /** Escape, the backdrop and the close button all ask for this; the caller then closes it. */
  onClose: () => void;
  children: ReactNode;
  /** Buttons, kept in sight below what scrolls. */
  footer?: ReactNode;
  /** `full` takes nearly the whole window: for looking at one thing closely. */
  size?: 'small' | 'medium' | 'large' | 'full';
  /** An alert dialog has no close button: it wants an answer. */
  role?: 'dialog' | 'alertdialog';
}

/** A modal on native `<dialog>`: a sheet on a phone; the focus goes back where it came from. */
export function Dialog({ open, ...rest }: DialogProps) {
  return open ? <OpenDialog {...rest} /> : null;
}

/** As a ref of the first thing in a dialog. */
function show(first: HTMLElement | null) {
  const dialog = first?.closest('dialog');
  if (!dialog) return;
  // The dialog itself takes the focus, as if it were empty, and not its close button.
  for (const part of dialog.children) part.toggleAttribute('inert', true);
  dialog.showModal();
  for (const part of dialog.children) part.toggleAttribute('inert', false);
  // Closed before it leaves the page, so that the browser gives the focus back.
  return () => dialog.close();
}

function OpenDialog({
  title,
  onClose,
  children,
  footer,
  size = 'medium',
  role = 'dialog',
}: Omit<DialogProps, 'open'>) {
  const titleId = useId();
  const bodyId = useId();

  return (
    <dialog
      role={role === 'alertdialog' ? role : undefined}
      className={classes(styles.dialog, styles[size])}
      aria-labelledby={titleId}
      aria-describedby={role === 'alertdialog' ? bodyId : undefined}
      onCancel={(event) => {
        // A file picker inside also sends `cancel`, and it bubbles in React.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        // A search field would take the first Escape for itself, to become empty.
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
        if (!(event.target instanceof HTMLInputElement) || event.target.type !== 'search') return;
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {/* Shown before what follows is there: `autoFocus` inside it would not take else. */}
      <span hidden ref={show} />
      <div className={styles.sheet}>
        <header className={styles.header}>
          <h2 id={titleId}>{title}</h2>
          {role === 'dialog' && (
            <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
              <X size={20} aria-hidden="true" />
            </button>
          )}
        </header>
        <div className={styles.body} id={bodyId}>
          {children}
        </div>
        {footer && <footer className={styles.footer}>{footer}</footer>}
      </div>
    </dialog>
  );
}
