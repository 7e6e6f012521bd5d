import { site } from '../../../shared/site.ts';
import type { Deps } from '../../deps.ts';

/** " Ask hello@capsules.example for one." Nothing where the site's address is only the example. */
export function askContact({ config }: Pick<Deps, 'config'>, forWhat = ''): string {
  const { email } = config.contact;
  return email === site.contactEmail ? '' : ` Ask ${email}${forWhat}.`;
}

/** " Write to hello@capsules.example if you have questions." Nothing as above. */
export function writeToContact({ config }: Pick<Deps, 'config'>): string {
  const { email } = config.contact;
  return email === site.contactEmail ? '' : ` Write to ${email} if you have questions.`;
}
