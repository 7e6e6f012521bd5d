import { Component, type ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { saveAndReload } from '../hooks/reload.ts';
import styles from './app.module.css';

interface BoundaryState {
  failure: Error | null;
}

function isNotLoaded({ failure }: BoundaryState): boolean {
  return failure?.name === 'ChunkLoadError';
}

/** The connection was lost on this page, which may be why a part could not be loaded. */
let wasOffline = false;
globalThis.window?.addEventListener('offline', () => {
  wasOffline = true;
});

/** Browsers report `online` a moment before requests succeed. */
const TRY_EVERY_MS = 3_000;

/** Reloads once the server answers; earlier, the browser's own error page would replace ours. */
async function reloadWhenReached(): Promise<void> {
  // Not a file of the app, which the service worker would answer.
  const answer = await fetch('/healthz', { cache: 'no-store' }).catch(() => null);
  if (answer?.ok) await saveAndReload();
}

/** What a person sees when a page cannot be loaded or breaks. Their drafts stay saved. */
export class ErrorBoundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { failure: null };

  static getDerivedStateFromError(failure: unknown): BoundaryState {
    return { failure: failure instanceof Error ? failure : new Error(String(failure)) };
  }

  #trying: ReturnType<typeof setInterval> | undefined;

  override componentDidMount() {
    this.componentDidUpdate();
  }

  override componentDidUpdate() {
    if (!isNotLoaded(this.state) || this.#trying !== undefined) return;
    window.addEventListener('online', reloadWhenReached);
    if (wasOffline) this.#trying = setInterval(reloadWhenReached, TRY_EVERY_MS);
  }

  override componentWillUnmount() {
    window.removeEventListener('online', reloadWhenReached);
    clearInterval(this.#trying);
  }

  override render() {
    const { failure } = this.state;
    if (!failure) return this.props.children;
    const notLoaded = isNotLoaded(this.state);
    return (
      <div className={`stack gap-16 to-start ${styles.failure}`} role="alert">
        <h1>{notLoaded ? 'This page could not be loaded' : 'Something went wrong on this page'}</h1>
        <p>
          {notLoaded
            ? 'You may have lost the connection, or a new version was published. Your drafts are saved on this device.'
            : 'Reloading usually helps. Your drafts are saved on this device.'}
        </p>
        <Button variant="primary" onClick={saveAndReload}>
          Reload
        </Button>
      </div>
    );
  }
}
