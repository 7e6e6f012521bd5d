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
    return keepFocusOnHeading();
  }, []);
  return children;
}

/**
 * Focuses the heading, where reading begins. The page may replace its heading when its data
 * arrives: until the person presses something, the focus moves along.
 */
function keepFocusOnHeading(): () => void {
  const main = document.querySelector<HTMLElement>('main');
  const focus = () => {
    const { activeElement } = document;
    if (activeElement && activeElement !== document.body && activeElement !== main) return;
    // What has just happened may stand above the heading of the page.
    const target = document.querySelector<HTMLElement>('main :is(h1, [data-news])') ?? main;
    if (!target || target === activeElement) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  };
  const pressed = document.activeElement;
  // The link that led here loses the focus; a dialog that the page has opened keeps it.
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
