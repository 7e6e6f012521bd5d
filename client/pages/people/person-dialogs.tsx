import { lazy, Suspense, useEffect } from 'react';
import { useExternalStore } from '../../hooks/store.ts';
import { question } from './ask.ts';

const BlockDialog = lazy(async () => ({
  default: (await import('./block-dialog.tsx')).BlockDialog,
}));
const ReportDialog = lazy(async () => ({
  default: (await import('./report-dialog.tsx')).ReportDialog,
}));

/** Asks what `askToBlock` and `askToReport` want to know. The app has one. */
export function PersonDialogs() {
  const { asked } = useExternalStore(question);
  const leave = asked?.answer;
  useEffect(() => {
    if (!leave) return;
    // Going back is no answer to a question of the page that was left.
    const onLeave = () => leave(false);
    window.addEventListener('popstate', onLeave);
    return () => window.removeEventListener('popstate', onLeave);
  }, [leave]);
  if (!asked) return null;
  return (
    <Suspense>
      {asked.asks === 'block' ? (
        <BlockDialog person={asked.person} answer={asked.answer} />
      ) : (
        <ReportDialog about={asked.about} answer={asked.answer} />
      )}
    </Suspense>
  );
}
