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
  /** Drawn before the page behind it comes to rest, which takes as long as drawing all of it anew. */
  isQuick?: boolean;
}

/** A modal on native `<dialog>`: a sheet on a phone; the focus goes back where it came from. */
export function Dialog({ open, ...rest }: DialogProps) {
  return open ? <OpenDialog {...rest} /> : null;
}

/** As a ref of the first thing in a dialog. */
function show(first: HTMLElement | null) {
  const dialog = first?.closest('dialog');
  if (!dialog) return;
  makeModal(dialog);
  // Closed before it leaves the page, so that the browser gives the focus back.
  return () => dialog.close();
}

/** After the first picture. */
const REST_AFTER_MS = 50;
/** Whoever does something wants it done to a dialog as they know it. */
const REST_BEFORE = ['keydown', 'pointerdown'] as const;

/** The same in two steps: on the screen first, and then before a page that rests. */
function showFirst(first: HTMLElement | null) {
  const dialog = first?.closest('dialog');
  if (!dialog) return;
  const before = document.activeElement;
  dialog.open = true;
  dialog.tabIndex = -1;
  dialog.focus({ preventScroll: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(rest, REST_AFTER_MS);
  });
  for (const event of REST_BEFORE) addEventListener(event, rest, true);
  function stop() {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    for (const event of REST_BEFORE) removeEventListener(event, rest, true);
  }
  function rest() {
    stop();
    if (!dialog) return;
    dialog.open = false;
    makeModal(dialog);
  }
  return () => {
    stop();
    dialog.close();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
}

function makeModal(dialog: HTMLDialogElement): void {
  // The dialog itself takes the focus, as if it were empty, and not its close button.
  for (const part of dialog.children) part.toggleAttribute('inert', true);
  dialog.showModal();
  for (const part of dialog.children) part.toggleAttribute('inert', false);
  // Chromium gives it to a video that is already there, inert or not.
  if (document.activeElement !== dialog) dialog.focus({ preventScroll: true });
}

function OpenDialog({
  title,
  onClose,
  children,
  footer,
  size = 'medium',
  role = 'dialog',
  isQuick = false,
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
      <span hidden ref={isQuick ? showFirst : show} />
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
