import { StrictMode } from 'react';
import { BrowserRouter, StaticRouter } from 'react-router-dom';
import { AppRoutes } from './app-routes.tsx';
import { ConfirmHost } from './ui/confirm.tsx';
import { ToastRegion } from './ui/toast.tsx';

export function App() {
  return (
    <StrictMode>
      {/* A transition would draw frames of the old page between the parts of the new one. */}
      <BrowserRouter useTransitions={false}>
        <Screens />
      </BrowserRouter>
    </StrictMode>
  );
}

/** The same at one address and outside of a browser, to be taken over by `App` there. */
export function AppAt({ path }: { path: string }) {
  return (
    <StrictMode>
      <StaticRouter location={path}>
        <Screens />
      </StaticRouter>
    </StrictMode>
  );
}

/** Pages come and go; messages and questions outlive them. */
function Screens() {
  return (
    <>
      <AppRoutes />
      <ToastRegion />
      <ConfirmHost />
    </>
  );
}
