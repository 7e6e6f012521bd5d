import { registrationRefused } from '../../shared/sentences.ts';
import type { useContact } from './use-contact.ts';

/** What came of it where it went well. */
const GOOD_NEWS: Record<string, (provider: string) => string> = {
  linked: (provider) => `${provider} signs you in from now on.`,
  confirmed: (provider) =>
    `${provider} has confirmed that it's you. That counts once, for five minutes.`,
};

/** @returns null where it did not go well */
export function goodNews(code: string, { provider = '' }: Site): string | null {
  return GOOD_NEWS[code]?.(provider) ?? null;
}

type Site = Pick<
  ReturnType<typeof useContact>,
  'provider' | 'passwordsOff' | 'email' | 'isExample' | 'registration'
>;

/** Why it did not go well, and what to do. @param code of the server */
export function badNews(code: string, site: Site): string {
  const provider = site.provider ?? 'The sign-in service';
  const otherwise = site.passwordsOff ? 'use a passkey' : 'sign in with your password';
  const ask = (text: string) => (site.isExample ? '' : ` ${text}`);
  switch (code) {
    case 'PROVIDER_AWAY':
      return `${provider} doesn't answer right now. Please try again in a moment, or ${otherwise}.`;
    case 'PROVIDER_REFUSED':
      return `${provider} didn't let you in. Please try again.`;
    case 'PROVIDER_EXPIRED':
      return 'That took too long, or began in another browser. Please try again.';
    case 'PROVIDER_NAMES_NOBODY':
      return `${provider} doesn't tell us an email address, and an account needs one. Please add one there, and try again.`;
    case 'EMAIL_TAKEN':
      return `Your address has an account here already. Please sign in as usual, and link ${provider} under “Signing in”.`;
    case 'EMAIL_NOT_VERIFIED':
      return `We've emailed you a link. Please open it to confirm your address, then continue with ${provider} again.`;
    case 'REGISTRATION_CLOSED':
      return registrationRefused(site.registration, site.isExample ? null : site.email);
    case 'INVALID_INVITATION':
      return "This invitation link doesn't work any more.";
    case 'ACCOUNT_SUSPENDED':
      return `This account is suspended.${ask(`Write to ${site.email} if you have questions.`)}`;
    case 'IDENTITY_TAKEN':
      return `That account at ${provider} signs somebody else in here.`;
    case 'RATE_LIMITED':
      return 'Too many attempts. Please wait a little and try again.';
    default:
      return "That didn't work. Please try again.";
  }
}
