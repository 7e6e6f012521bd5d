import { site } from '../../../shared/site.ts';
import type { Deps } from '../../deps.ts';

/** Where people can write to whoever runs the site. Null where its address is only the example. */
export function contactOf({ config }: Pick<Deps, 'config'>): string | null {
  const { email } = config.contact;
  return email === site.contactEmail ? null : email;
}

/** Whom an email tells its reader to write to. */
export const whomToWrite = (deps: Pick<Deps, 'config'>) =>
  contactOf(deps) ?? 'whoever runs this site';
