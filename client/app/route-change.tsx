import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { titleOf } from '../components/page-title.ts';
import { Spinner } from '../components/spinner.tsx';
import styles from './app.module.css';
import { ErrorBoundary } from './error-boundary.tsx';

interface PageFrameProps {
  /** Of the window; the site's name follows it. */
  title: string;
  children: ReactNode;
}

/** Around every page: its title, its spinner, its error, and the focus on its heading. */
export function PageFrame({ title, children }: PageFrameProps) {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary key={pathname}>
      <Suspense
        fallback={
          <div className={styles.waiting}>
            <Spinner label="Loading…" />
          </div>
        }
      >
        <Arrival title={title}>{children}</Arrival>
      </Suspense>
    </ErrorBoundary>
  );
}

/** The first page of a visit keeps the browser's own focus; later ones are announced. */
let isFirstPage = true;

/** Inside the boundary, so that its effects run once the page itself is shown. */
function Arrival({ title, children }: PageFrameProps) {
  // Before the effects of the page itself, which may know a better title.
  useLayoutEffect(() => {
    document.title = titleOf(title);
  }, [title]);
  useEffect(() => {
    if (isFirstPage) {
      isFirstPage = false;
      return;
    }
    focusHeading();
  }, []);
  return children;
}

/** Focuses the heading, where reading begins. Where the page replaces it, app/focus-keeper follows. */
function focusHeading(): void {
  // A dialog that the page has opened keeps the focus.
  if (document.activeElement?.closest('dialog')) return;
  const main = document.querySelector('main');
  // What has just happened may stand above the heading of the page.
  const target = main?.querySelector<HTMLElement>('h1, [data-news]') ?? main;
  if (!target) return;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/**
 * A new page starts at its top; going back is the browser's to scroll. A page that only changes its
 * query (a dialog opens, a list is filtered) does not move. Renders nothing.
 */
export function ScrollToTop() {
  const place = useLocation();
  const shown = useRef<string | null>(null);
  const type = useNavigationType();
  useLayoutEffect(() => {
    const { hash, pathname } = place;
    const isNewPage = shown.current !== pathname;
    shown.current = pathname;
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
    else if (isNewPage && type !== 'POP') window.scrollTo(0, 0);
  }, [place, type]);
  return null;
}
