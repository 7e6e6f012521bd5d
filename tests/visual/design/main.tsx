import '../../../client/components/global.css';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { AskHost } from '../../../client/components/ask.tsx';
import { ToastRegion } from '../../../client/components/toast.tsx';
import { DesignPage } from './design-page.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('design.html has no #root');
createRoot(root).render(
  <BrowserRouter>
    <DesignPage />
    <ToastRegion />
    <AskHost />
  </BrowserRouter>,
);
