import { Component, type ReactNode, Suspense, useEffect, useLayoutEffect } from 'react';
import { useLocation } from 'react-router-dom';
import styles from './app.module.css';
import { readyToReload } from './state/before-reload.ts';
import { Button } from './ui/button.tsx';
import { titleOf } from './ui/page-title.ts';
import { Spinner } from './ui/spinner.tsx';

interface PageFrameProps {
  /** Of the window; the site's name follows it. */
  title: string;
  children: ReactNode;
}

interface BoundaryState {
  failure: Error | null;
}

function isNotLoaded({ failure }: BoundaryState): boolean {
  return failure?.name === 'ChunkLoadError';
}

async function reload(): Promise<void> {
  await readyToReload();
  location.reload();
}

/** This page has been without a connection: that may be why a part of it did not come. */
let wasOffline = false;
globalThis.window?.addEventListener('offline', () => {
  wasOffline = true;
});

/** A browser may take itself for online a moment before it is. */
const TRY_EVERY_MS = 3_000;

/** What could not come without a connection comes with it. Not before: the browser's own page would be in its place. */
async function reloadWhenReached(): Promise<void> {
  // Not a file of the app: the worker would answer for the server.
  const answer = await fetch('/healthz', { cache: 'no-store' }).catch(() => null);
  if (answer?.ok) await reload();
}

/** What a person sees when a page cannot be loaded or breaks; what they kept stays kept. */
class PageBoundary extends Component<{ children: ReactNode }, BoundaryState> {
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
      <div className={styles.failure} role="alert">
        <h1>{notLoaded ? 'This page could not be loaded' : 'Something went wrong on this page'}</h1>
        <p>
          {notLoaded
            ? 'The connection may have been lost, or a new version was published. Your drafts are kept on this device.'
            : 'Reloading usually helps. Your drafts are kept on this device.'}
        </p>
        <Button variant="primary" onClick={reload}>
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
  // Before the effects of the page itself, which may know a better title.
  useLayoutEffect(() => {
    document.title = titleOf(title);
  }, [title]);
  useEffect(() => {
    if (firstPage) {
      firstPage = false;
      return;
    }
    return keepFocusOnHeading();
  }, []);
  return children;
}

/**
 * Reading begins at the heading. A page may still replace it, once its data is there: until the
 * person does something, the focus is not lost with it.
 */
function keepFocusOnHeading(): () => void {
  const main = document.querySelector<HTMLElement>('main');
  const focus = () => {
    const { activeElement } = document;
    if (activeElement && activeElement !== document.body && activeElement !== main) return;
    const target = document.querySelector<HTMLElement>('main h1') ?? main;
    if (!target || target === activeElement) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  };
  const pressed = document.activeElement;
  // What was pressed to come here lets go; a dialog that the page has opened does not.
  if (pressed instanceof HTMLElement && !pressed.closest('dialog')) pressed.blur();
  focus();
  const observer = new MutationObserver(focus);
  if (main) observer.observe(main, { childList: true, subtree: true });
  const stop = () => {
    observer.disconnect();
    removeEventListener('keydown', stop, true);
    removeEventListener('pointerdown', stop, true);
  };
  addEventListener('keydown', stop, true);
  addEventListener('pointerdown', stop, true);
  return stop;
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
