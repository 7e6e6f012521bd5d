import { Component, type ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { saveAndReload } from '../hooks/reload.ts';
import styles from './app.module.css';

interface BoundaryState {
  failure: Error | null;
}

/** What a person sees when a page cannot be loaded or breaks. Their drafts stay saved. */
export class ErrorBoundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { failure: null };

  static getDerivedStateFromError(failure: unknown): BoundaryState {
    return { failure: failure instanceof Error ? failure : new Error(String(failure)) };
  }

  override render() {
    const { failure } = this.state;
    if (!failure) return this.props.children;
    const notLoaded = failure.name === 'ChunkLoadError';
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
