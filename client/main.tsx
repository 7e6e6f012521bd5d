import './ui/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { onUnauthorized } from './http/unauthorized.ts';
import { startWorker } from './pwa.ts';
import { signedOut } from './state/auth.ts';
import { applyTheme } from './state/theme.ts';

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
