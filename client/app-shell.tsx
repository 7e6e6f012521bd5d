import { Suspense } from 'react';
import { Outlet } from 'react-router-dom';
import styles from './app.module.css';
import { BottomNavigation } from './app-bottom-navigation.tsx';
import { Footer } from './app-footer.tsx';
import { Header } from './app-header.tsx';
import { OfflineNote } from './app-offline-note.tsx';
import { OutgoingHost } from './app-outgoing-host.ts';
import { useScrollRestoration } from './app-scroll.ts';

/** Apart, for it renders with every change of the address. */
function Scrolling() {
  useScrollRestoration();
  return null;
}

/** Header, the page, footer: each is taken over on its own where the page comes with its words, see docs/decisions/022. */
export function Shell() {
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <Suspense>
        <Header />
      </Suspense>
      <OfflineNote />
      <main className={styles.main} id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Suspense>
        <Footer />
        <BottomNavigation />
      </Suspense>
      <OutgoingHost />
      <Scrolling />
    </div>
  );
}
