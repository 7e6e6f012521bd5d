type Listener = () => void;

const listeners = new Set<Listener>();

/** Calls `listener` whenever the server says that nobody is signed in; returns how to stop. */
export function onUnauthorized(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Told by the calls themselves; a refused sign-in is no such answer. */
export function announceUnauthorized(): void {
  for (const listener of listeners) listener();
}
