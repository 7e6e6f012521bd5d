import { lazy, Suspense } from 'react';
import { Outlet } from 'react-router-dom';
import { OfflineNote } from '../components/offline-note.tsx';
import { deviceState, useOnline } from '../hooks/device-state.ts';
import { useExternalStore } from '../hooks/store.ts';
import { useAuth } from '../hooks/use-session.ts';
import styles from './app.module.css';
import { BottomNavigation } from './bottom-navigation.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import type { OutboxRunnerProps } from './outbox-runner.tsx';
import { ScrollToTop } from './route-change.tsx';

const RETRY_AFTER_MS = 5_000;

/** For members: a visitor needs no database. Retried for ever, since nothing is sent without it. */
const OutboxRunner = lazy(async () => {
  for (;;) {
    try {
      return { default: (await import('./outbox-runner.tsx')).OutboxRunner };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
    }
  }
});

/** Header, the routed page, footer. */
export function Shell({ Moment }: OutboxRunnerProps) {
  const { isLoggedIn } = useAuth();
  const online = useOnline();
  const { isBetween } = useExternalStore(deviceState);
  return (
    <div className={`column ${styles.shell}`}>
      <a className={`strong rounded ${styles.skip}`} href="#main">
        Skip to content
      </a>
      <Header />
      <OfflineNote online={online} isBetween={isBetween} saves={isLoggedIn} />
      <main className={`page-width grow ${styles.main}`} id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
      <BottomNavigation />
      {isLoggedIn && (
        <Suspense>
          <OutboxRunner Moment={Moment} />
        </Suspense>
      )}
      <ScrollToTop />
    </div>
  );
}
