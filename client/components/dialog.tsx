import { type ReactNode, useId, useRef } from 'react';
import { classes } from './classes.ts';
import styles from './dialog.module.css';
import { X } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import { ToastRegion } from './toast.tsx';

interface DialogProps {
  /** Its heading and its name. */
  title: ReactNode;
  /** Escape, the backdrop and the close button all ask for this; the caller then removes it. */
  onClose: () => void;
  children: ReactNode;
  /** Buttons, kept in sight below what scrolls. */
  footer?: ReactNode;
  /** `full` takes nearly the whole window: for looking at one thing closely. */
  size?: 'small' | 'medium' | 'large' | 'full';
  /** A press beside it closes nothing: something may be typed. */
  isForm?: boolean;
  /** An alert dialog has no close button: it wants an answer. */
  role?: 'dialog' | 'alertdialog';
}

/** Ref of the dialog's first child: shows the dialog before an `autoFocus` further down runs. */
function showModal(first: HTMLElement | null) {
  const dialog = first?.closest('dialog');
  if (!dialog) return;
  show(dialog);
  // Closed before it leaves the page, so that the browser gives the focus back.
  return () => dialog.close();
}

function show(dialog: HTMLDialogElement) {
  dialog.showModal();
  // The browser has focused the close button, the first control. Reading starts at the title.
  dialog.focus({ preventScroll: true });
}

/** A modal on native `<dialog>`: a sheet on a phone; the focus goes back where it came from. */
export function Dialog({
  title,
  onClose,
  children,
  footer,
  size = 'medium',
  isForm = false,
  role = 'dialog',
}: DialogProps) {
  const titleId = useId();
  const bodyId = useId();
  const isPressedOutside = useRef(false);

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
        if (event.cancelable) onClose();
      }}
      // Asked twice without a press in between, Chromium closes it unasked. What stays is shown again.
      onClose={({ currentTarget }) => {
        if (currentTarget.open || !currentTarget.isConnected) return;
        show(currentTarget);
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
        isPressedOutside.current = event.target === event.currentTarget && !isForm;
      }}
      // Closing at the beginning of a press would let the rest of it reach what lies beneath.
      onClick={(event) => {
        if (event.target === event.currentTarget && isPressedOutside.current) onClose();
      }}
    >
      <span hidden ref={showModal} />
      {/* Whichever of the two scrolls holds what is absolute in it: the title would scroll as well. */}
      <div className={`column grow holds ${styles.sheet}`}>
        <header className={`row gap-12 top spread ${styles.header}`}>
          <h2 className="breaks plaintext" id={titleId} data-focus-home>
            {title}
          </h2>
          {role === 'dialog' && (
            <IconButton label="Close" className={`lights-up ${styles.close}`} onClick={onClose}>
              <X size={20} />
            </IconButton>
          )}
        </header>
        <div className={`grow holds ${styles.body}`} id={bodyId}>
          {children}
        </div>
        {footer && (
          <footer className={`cluster gap-12 line-above ${styles.footer}`}>{footer}</footer>
        )}
      </div>
      <ToastRegion modal={titleId} />
    </dialog>
  );
}
