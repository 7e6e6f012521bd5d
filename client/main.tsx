import './ui/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { onUnauthorized } from './http/unauthorized.ts';
import { startWorker } from './pwa.ts';
import { signedOut } from './state/auth.ts';
import { applyTheme } from './state/theme.ts';

// The page's policy forbids `new Function`, with which zod would compile its schemas; this is
// where zod looks for its settings, and it is set before the first page brings a schema along.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

applyTheme();
onUnauthorized(signedOut);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

if (import.meta.env.PROD) startWorker();
