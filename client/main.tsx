import './components/global.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { beforeCalls, onUnauthorized } from './api/session.ts';
import { keepFocus } from './app/focus-keeper.ts';
import { startServiceWorker } from './app/service-worker.ts';
import { nameSite } from './components/site-name.ts';
import { toastStore } from './components/toast.tsx';
import { adoptTheme, applyTheme } from './hooks/theme.ts';
import { knownSiteName } from './hooks/use-contact.ts';
import { watchInstall } from './hooks/use-install.ts';
import {
  auth,
  authState,
  noteSessionEnd,
  sessionEnded,
  settleSignOut,
} from './hooks/use-session.ts';
import { Screens } from './routes.tsx';

nameSite(knownSiteName());
applyTheme();
keepFocus();
watchInstall();
onUnauthorized(() => {
  // The session may have ended before the link in an email was followed: the next sign-in leads there.
  if (authState().isLoggedIn) noteSessionEnd(location.pathname + location.search);
  sessionEnded();
});
beforeCalls(settleSignOut);
// What was said to one person, and what they could undo, is nothing for the next one on this page.
auth.subscribe(() => {
  if (!authState().isLoggedIn) toastStore.set({ shown: [] });
});
// While it holds a lock, Firefox keeps no page that is left. One from its page cache would hold the
// outbox's lock, and nothing would be sent.
void navigator.locks
  ?.request('time-capsule-page', { mode: 'shared' }, () => new Promise(() => undefined))
  .catch(() => undefined);
// Finish a sign-out that the server has not heard of; what fails is tried again before any call.
const settle = () => void settleSignOut().catch(() => undefined);
window.addEventListener('online', settle);
window.addEventListener('load', settle);

const app: ReactNode = (
  <StrictMode>
    {/* In a transition the old page would be drawn between the parts of the new one. */}
    <BrowserRouter useTransitions={false}>
      <Screens />
    </BrowserRouter>
  </StrictMode>
);
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
// The landing page was rendered during the build.
if (root.firstChild) {
  adoptTheme(root);
  hydrateRoot(root, app);
} else createRoot(root).render(app);

if (import.meta.env.PROD) startServiceWorker();
