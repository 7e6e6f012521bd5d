import { site } from '../../shared/site.ts';

let name: string = site.name;

/** What the site is called. */
export const siteName = () => name;

/** Called before anything is shown. */
export function nameSite(known: string): void {
  name = known;
}
