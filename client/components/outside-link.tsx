import type { ReactNode } from 'react';

/** A link to a page that is not the app's. */
export function OutsideLink({ url, children }: { url: string; children: ReactNode }) {
  return (
    <a href={url} rel="noopener noreferrer" target="_blank">
      {children}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
