import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { CircleAlert, CircleCheck, X } from './icon.tsx';
import styles from './toast.module.css';
import { type Toast, toastStore, toasts } from './toast-store.ts';

export { toasts } from './toast-store.ts';

export function useToasts(): typeof toasts {
  return toasts;
}

function ToastCard({ toast }: { toast: Toast }) {
  const [paused, setPaused] = useState(false);
  const { id, lifetime, kind, text, action } = toast;

  useEffect(() => {
    if (lifetime === null || paused) return;
    const timer = setTimeout(() => toasts.dismiss(id), lifetime);
    return () => clearTimeout(timer);
  }, [id, lifetime, paused]);

  const Mark = kind === 'failure' ? CircleAlert : CircleCheck;
  return (
    <li
      className={classes(styles.toast, styles[kind])}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      <Mark className={styles.mark} size={20} aria-hidden="true" />
      <p>{text}</p>
      <span className={styles.answers}>
        {action && (
          <Button
            variant="quiet"
            onClick={() => {
              toasts.dismiss(id);
              void action.run();
            }}
          >
            {action.label}
          </Button>
        )}
        <button
          type="button"
          className={styles.dismiss}
          aria-label={`Dismiss: ${text}`}
          onClick={() => toasts.dismiss(id)}
        >
          <X size={18} aria-hidden="true" />
        </button>
      </span>
    </li>
  );
}

/** What Escape closes first, when there is one. */
const ON_TOP = 'dialog[open], [role="menu"], nav[data-open="true"]';

/** The newest message goes with Escape: it may cover what the keyboard has come to. */
function useDismissalByEscape() {
  useEffect(() => {
    const dismiss = ({ key, target }: KeyboardEvent) => {
      const newest = toastStore.get().at(-1);
      if (key !== 'Escape' || !newest || document.querySelector(ON_TOP)) return;
      // A search field empties itself.
      if (target instanceof HTMLInputElement && target.value !== '') return;
      toasts.dismiss(newest.id);
    };
    document.addEventListener('keydown', dismiss);
    return () => document.removeEventListener('keydown', dismiss);
  }, []);
}

/** Stands in the page from the start: a live region must exist before it speaks. */
export function ToastRegion() {
  const shown = useSyncExternalStore(toastStore.subscribe, toastStore.get, toastStore.get);
  useDismissalByEscape();
  const cards = (kind: Toast['kind']) =>
    shown
      .filter((toast) => toast.kind === kind)
      .map((toast) => <ToastCard key={toast.id} toast={toast} />);
  return (
    <section className={styles.region} aria-label="Messages">
      <ul aria-live="polite" aria-relevant="additions">
        {cards('success')}
      </ul>
      <ul aria-live="assertive" aria-relevant="additions">
        {cards('failure')}
      </ul>
    </section>
  );
}
