import { site } from '../../../shared/site.ts';
import { Prose, type ProseSection } from '../prose.tsx';
import { ACCOUNT_HELP } from './account-help.tsx';
import { CAPSULE_HELP } from './capsule-help.tsx';

const CONTACT: ProseSection = {
  id: 'contact',
  title: 'Still stuck?',
  body: (
    <p>
      Write to <a href={`mailto:${site.contactEmail}`}>{site.contactEmail}</a>. Tell us what you
      did, what you saw and roughly when. Please never send a password or a reset link.
    </p>
  ),
};

export function HelpPage() {
  return (
    <Prose
      title="Help Center"
      lead="How capsules are sealed and opened, what works without a network, and what to do when something does not."
      sections={[...CAPSULE_HELP, ...ACCOUNT_HELP, CONTACT]}
    />
  );
}
