import { createStore } from './store.ts';

export interface ToastAction {
  label: string;
  run: () => void | Promise<void>;
}

export interface Toast {
  id: number;
  kind: 'success' | 'failure';
  text: string;
  action?: ToastAction | undefined;
  /** Milliseconds until it goes by itself; null stays until it is dismissed. */
  lifetime: number | null;
}

/** Long enough to be read twice. */
const SUCCESS_LIFETIME_MS = 6_000;

export const toastStore = createStore<readonly Toast[]>([]);
let lastId = 0;

function show(toast: Omit<Toast, 'id'>): number {
  lastId += 1;
  // The same words again replace the old ones instead of piling up.
  const others = toastStore.get().filter(({ text }) => text !== toast.text);
  toastStore.set([...others, { ...toast, id: lastId }]);
  return lastId;
}

function dismiss(id: number): void {
  toastStore.set(toastStore.get().filter((toast) => toast.id !== id));
}

/** The app's "alerts". They live outside the pages and so survive navigation. */
export const toasts = {
  /** Said politely, gone after a while. */
  success: (text: string) => show({ kind: 'success', text, lifetime: SUCCESS_LIFETIME_MS }),
  /** Said politely, stays while something goes on. */
  notice: (text: string) => show({ kind: 'success', text, lifetime: null }),
  /** Said at once, stays until it is dismissed; may offer another way. */
  failure: (text: string, action?: ToastAction) =>
    show({ kind: 'failure', text, action, lifetime: null }),
  /** Said politely, stays, and offers something to do. */
  offer: (text: string, action: ToastAction) =>
    show({ kind: 'success', text, action, lifetime: null }),
  dismiss,
};
