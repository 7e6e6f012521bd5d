import { Component, type ReactNode, Suspense, useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { site } from '../shared/site.ts';
import styles from './app.module.css';
import { Button } from './ui/button.tsx';
import { Spinner } from './ui/spinner.tsx';

interface PageFrameProps {
  /** Of the window; the site's name follows it. */
  title: string;
  children: ReactNode;
}

interface BoundaryState {
  failure: Error | null;
}

/** What a person sees when a page cannot be loaded or breaks; what they kept stays kept. */
class PageBoundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { failure: null };

  static getDerivedStateFromError(failure: unknown): BoundaryState {
    return { failure: failure instanceof Error ? failure : new Error(String(failure)) };
  }

  override render() {
    const { failure } = this.state;
    if (!failure) return this.props.children;
    const notLoaded = failure.name === 'ChunkLoadError';
    return (
      <div className={styles.failure} role="alert">
        <h1>{notLoaded ? 'This page could not be loaded' : 'Something went wrong on this page'}</h1>
        <p>
          {notLoaded
            ? 'The connection may have been lost, or a new version was published. Your drafts are kept on this device.'
            : 'Reloading usually helps. Your drafts are kept on this device.'}
        </p>
        <Button variant="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      </div>
    );
  }
}

/** The first page of a visit keeps the browser's own focus; later ones are announced. */
let firstPage = true;

/** Inside the boundary, so it runs once the page itself stands there. */
function Arrival({ title, children }: PageFrameProps) {
  useEffect(() => {
    document.title = title === site.name ? title : `${title} · ${site.name}`;
    if (firstPage) {
      firstPage = false;
      return;
    }
    const target =
      document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main');
    if (!target) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }, [title]);
  return children;
}

/** Around every page: its title, its wait, its failure, and the focus on its heading. */
export function PageFrame({ title, children }: PageFrameProps) {
  const { pathname } = useLocation();
  return (
    <PageBoundary key={pathname}>
      <Suspense
        fallback={
          <div className={styles.waiting}>
            <Spinner label="Loading…" />
          </div>
        }
      >
        <Arrival title={title}>{children}</Arrival>
      </Suspense>
    </PageBoundary>
  );
}
