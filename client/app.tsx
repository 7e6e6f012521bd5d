import { BrowserRouter } from 'react-router-dom';
import { AppRoutes } from './app-routes.tsx';
import { ConfirmHost } from './ui/confirm.tsx';
import { ToastRegion } from './ui/toast.tsx';

/** Pages come and go; messages and questions outlive them. */
export function App() {
  return (
    <BrowserRouter>
      <AppRoutes />
      <ToastRegion />
      <ConfirmHost />
    </BrowserRouter>
  );
}
