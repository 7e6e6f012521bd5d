import './ui/global.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { prepareDashboard } from './app-routes.tsx';
import { beforeCalls } from './http/session-gate.ts';
import { onUnauthorized } from './http/unauthorized.ts';
import { startBehindThePage } from './pwa.ts';
import { authState, signedOut } from './state/auth.ts';
import { watchInstall } from './state/install.ts';
import { isForMembers } from './state/rendered-page.ts';
import { applyTheme } from './state/theme.ts';
import { noteSessionEnd } from './state/wanted-page.ts';

applyTheme();
watchInstall();
onUnauthorized(() => {
  // After a year the session has ended, and the link in the mail must lead to its capsule still.
  if (authState().isLoggedIn) noteSessionEnd(location.pathname + location.search);
  signedOut();
});
let settling: Promise<typeof import('./sync/settle-sign-out.ts')> | undefined;
beforeCalls(async () => {
  // Asked for once, and again where it could not come.
  settling ??= import('./sync/settle-sign-out.ts');
  settling.catch(() => {
    settling = undefined;
  });
  await (await settling).settleSignOut(() => authState().isLoggedIn);
});

/** However long the device takes to look: the page is then drawn as far as it can be. */
const PATIENCE_MS = 1_000;

/** Of an app that is kept on this device all parts are at hand: they are drawn together. */
async function firstPicture(): Promise<void> {
  const isKept = navigator.serviceWorker?.controller;
  if (!isKept || !authState().isLoggedIn || location.pathname !== '/dashboard') return;
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([prepareDashboard(), patience]);
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
// Some pages come with their words: they are taken over, not made anew. A member's is not, where
// this browser remembers nobody: the server went by a cookie that may have come to its end.
const isOthers = isForMembers() && !authState().isLoggedIn;
if (root.firstChild && !isOthers) hydrateRoot(root, <App />);
else void firstPicture().then(() => createRoot(root).render(<App />));

if (import.meta.env.PROD) startBehindThePage();
