import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createExternalStore, useExternalStore } from '../hooks/store.ts';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { CircleAlert, CircleCheck, Info, X } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import styles from './toast.module.css';
import { useMedia } from './use-media.ts';

interface ToastAction {
  label: string;
  run: () => void | Promise<void>;
}

interface Toast {
  id: number;
  kind: 'success' | 'neutral' | 'failure';
  text: string;
  action?: ToastAction | undefined;
  /** Milliseconds until it disappears. Null: until it is dismissed. */
  lifetime: number | null;
  shownAt: number;
  /** Spoken only, while the moment of sealing shows the same. */
  yieldsToMoment?: boolean;
}

/** Long enough to be read twice. */
const SUCCESS_LIFETIME_MS = 6_000;
/** What is taken away sooner may not have been spoken. */
const SAID_AFTER_MS = 1_000;

export const toastStore = createExternalStore<{ shown: readonly Toast[] }>({ shown: [] });
let lastId = 0;

function show(toast: Omit<Toast, 'id' | 'shownAt'>): number {
  lastId += 1;
  // A repeated text replaces the old toast.
  const others = toastStore.get().shown.filter(({ text }) => text !== toast.text);
  toastStore.set({ shown: [...others, { ...toast, id: lastId, shownAt: Date.now() }] });
  return lastId;
}

function dismiss(id: number): void {
  toastStore.set({ shown: toastStore.get().shown.filter((toast) => toast.id !== id) });
}

/** Messages of the app. They are outside of the pages, so they survive navigation. */
export const toasts = {
  /** Announced politely, disappears after a while, and can have an action. */
  success: (text: string, action?: ToastAction, yieldsToMoment = false) =>
    show({ kind: 'success', text, action, lifetime: SUCCESS_LIFETIME_MS, yieldsToMoment }),
  /** Announced politely, stays until it is dismissed. */
  notice: (text: string) => show({ kind: 'neutral', text, lifetime: null }),
  /** Announced at once, stays until dismissed, and can have an action. */
  failure: (text: string, action?: ToastAction) =>
    show({ kind: 'failure', text, action, lifetime: null }),
  /** Announced politely, stays, and has an action. */
  offer: (text: string, action: ToastAction) =>
    show({ kind: 'neutral', text, action, lifetime: null }),
  dismiss,
};

/** In a narrow window only the newest is shown: together they would cover what one wants to read or press. */
const NARROW = '(width < 50rem)';

const MARKS = { success: CircleCheck, neutral: Info, failure: CircleAlert };
const TONES = { success: 'verdigris', neutral: 'quiet', failure: 'red' };

function ToastCard({ toast, isNewest }: { toast: Toast; isNewest: boolean }) {
  const [paused, setPaused] = useState(false);
  const isBeneath = useMedia(NARROW) && !isNewest;
  const { id, lifetime, kind, text, action, yieldsToMoment, shownAt } = toast;

  // A dialog that opens or closes shows it anew: silently, and for the rest of its time.
  const [age] = useState(() => Date.now() - shownAt);
  const left = useRef((lifetime ?? 0) - age);
  useEffect(() => {
    if (lifetime === null) return;
    if (paused || isBeneath) {
      // One that is looked at, or lies beneath another one, has its whole time again afterwards.
      left.current = lifetime;
      return;
    }
    const timer = setTimeout(() => toasts.dismiss(id), left.current);
    return () => clearTimeout(timer);
  }, [id, lifetime, paused, isBeneath]);

  const Mark = MARKS[kind];
  return (
    <li
      className={classes(
        'cluster middle gap-0-12 outlined rounded',
        styles.toast,
        styles[kind],
        yieldsToMoment && styles.yields,
      )}
      aria-live={age > SAID_AFTER_MS ? 'off' : undefined}
      data-newest={isNewest || undefined}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      <Mark className={TONES[kind]} size={20} />
      <p className="breaks">{text}</p>
      {/* On a line of their own, together, where the text needs the room. */}
      <span className="row middle at-end">
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
        <IconButton label={`Dismiss: ${text}`} onClick={() => toasts.dismiss(id)}>
          <X size={18} />
        </IconButton>
      </span>
    </li>
  );
}

/** Escape closes these before it dismisses a toast. */
const ON_TOP = 'dialog[open], [role="menu"], nav[data-open="true"]';

/** Escape dismisses the newest toast, which may cover the focused element. */
function useDismissalByEscape() {
  useEffect(() => {
    const dismiss = ({ key, target }: KeyboardEvent) => {
      const newest = toastStore.get().shown.at(-1);
      if (key !== 'Escape' || !newest || document.querySelector(ON_TOP)) return;
      // In a search field, Escape clears the field.
      if (target instanceof HTMLInputElement && target.value !== '') return;
      toasts.dismiss(newest.id);
    };
    document.addEventListener('keydown', dismiss);
    return () => document.removeEventListener('keydown', dismiss);
  }, []);
}

/** What is never covered: a failure, and what a question is about. */
const TO_READ = '[role="alert"]:not(:empty), [role="alertdialog"] p';
const CONTROLS = 'a, button, input, label, select, summary';
/** Pixels between a message and what is beneath it. */
const GAP = 8;

/**
 * By how many pixels the messages are lifted to cover nothing that can be pressed or must be read, if
 * there is such a place, or nothing that must be read.
 */
function liftOf(region: HTMLElement): number {
  const card = region.querySelector('[data-newest]')?.getBoundingClientRect();
  if (!card) return 0;
  const { height, bottom } = region.getBoundingClientRect();
  const lowest = bottom + Number.parseFloat(region.style.getPropertyValue('--lift') || '0');
  const beneath = region.closest('dialog') ?? document.querySelector('main');
  const highest = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  const liftOver = (selector: string) => {
    const free = [...(beneath?.querySelectorAll(selector) ?? [])]
      .filter((one) => one.checkVisibility() && !region.contains(one))
      .map((one) => one.getBoundingClientRect())
      .filter(({ left, right }) => right > card.left && left < card.right);
    for (let lift = 0; lowest - lift - height >= highest; ) {
      const end = lowest - lift;
      const covered = free.filter((one) => one.bottom > end - height && one.top - GAP < end);
      if (covered.length === 0) return lift;
      lift = lowest - Math.min(...covered.map(({ top }) => top)) + GAP;
    }
    return null;
  };
  return liftOver(`${CONTROLS}, ${TO_READ}`) ?? liftOver(TO_READ) ?? 0;
}

/**
 * Tells the styles how high the messages are, and lifts them. What the browser scrolls to, such as the
 * focused element, stops above them; pages and the moment of sealing leave room for them at their end.
 */
function usePlace(region: RefObject<HTMLElement | null>, isShown: boolean) {
  useEffect(() => {
    const element = region.current;
    if (!element || !isShown) return;
    const { style } = document.documentElement;
    let frame = 0;
    const tell = () => {
      style.setProperty('--messages', `${element.offsetHeight}px`);
      element.style.setProperty('--lift', `${liftOf(element)}px`);
    };
    // In a frame of its own: the room for them may change their width, of which a browser can't tell
    // the observer in the same frame, and reports that as an error of the page.
    const tellSoon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(tell);
    };
    const observer = new ResizeObserver(tellSoon);
    observer.observe(element);
    // The page beneath them has another height, says something else, or was scrolled.
    observer.observe(document.body);
    const changes = new MutationObserver(tellSoon);
    changes.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('scrollend', tellSoon);
    return () => {
      document.removeEventListener('scrollend', tellSoon);
      observer.disconnect();
      changes.disconnect();
      cancelAnimationFrame(frame);
      style.removeProperty('--messages');
      element.style.removeProperty('--lift');
    };
  }, [region, isShown]);
}

/** The modal dialogs that are open, the uppermost last. */
const modals = createExternalStore<{ open: readonly string[] }>({ open: [] });

/**
 * Rendered from the start, because a live region must exist before its text appears; once more in each
 * modal dialog, beneath which nothing can be read or pressed.
 * @param modal the dialog's id
 */
export function ToastRegion({ modal }: { modal?: string }) {
  const isUppermost = useExternalStore(modals).open.at(-1) === modal;
  const all = useExternalStore(toastStore).shown;
  const shown = isUppermost ? all : [];
  const region = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (modal === undefined) return;
    modals.set({ open: [...modals.get().open, modal] });
    return () => modals.set({ open: modals.get().open.filter((id) => id !== modal) });
  }, [modal]);
  useDismissalByEscape();
  usePlace(region, shown.length > 0);
  const newest = shown.at(-1);
  const cards = (isFailure: boolean) =>
    shown
      .filter(({ kind }) => (kind === 'failure') === isFailure)
      .map((toast) => <ToastCard key={toast.id} toast={toast} isNewest={toast === newest} />);
  return (
    <section ref={region} className={styles.region} aria-label="Messages">
      <ul aria-live="polite" aria-relevant="additions">
        {cards(false)}
      </ul>
      <ul aria-live="assertive" aria-relevant="additions">
        {cards(true)}
      </ul>
    </section>
  );
}
