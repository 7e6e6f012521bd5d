import { site } from '../shared/site.ts';
import type { Config } from './config.ts';
import { hostsOf, isThisMachine } from './config-address.ts';
import { contactOf } from './domain/accounts/contact.ts';

/** What the operator should know of settings with which the server starts all the same. */
export function warningsOf(config: Config): string[] {
  const warnings: string[] = [];
  const databases = {
    DATABASE_URL: config.databaseUrl,
    DATABASE_DIRECT_URL: config.databaseDirectUrl,
  };
  for (const [name, url] of Object.entries(databases)) {
    const far = url && hostsOf(url).find((host) => !isThisMachine(host));
    if (far && !/[?&](sslmode|ssl)=/.test(url)) {
      warnings.push(
        `${name} says nothing about encryption, so everything goes to ${far} in the clear. Add ?sslmode=verify-full (or require), or ?sslmode=disable if that network is your own.`,
      );
    }
  }
  if (!isThisMachine(new URL(config.appUrl).hostname) && !contactOf({ config })) {
    warnings.push(
      `SITE_CONTACT is not set, so the footer shows ${site.contactEmail}, which is only an example, and what people report is emailed to nobody (npm run admin -- reports lists it). Set it and SITE_LINKS.`,
    );
  }
  if (config.secureCookies && config.trustedProxies === 0) {
    warnings.push(
      'APP_URL says https, so a proxy stands in front, but all who come through it count as one client: what one stranger tries keeps everybody from signing in. Set TRUST_PROXY to how many proxies add to X-Forwarded-For.',
    );
  }
  return warnings;
}
