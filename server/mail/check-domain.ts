import type { Resolver } from 'node:dns/promises';
import { StartError } from '../start-error.ts';

/** Whether other mail servers will believe that an email is from a domain. */
export interface DomainCheck {
  what: 'SPF' | 'DKIM' | 'DMARC';
  ok: boolean;
  /** What was found, or what to do. */
  says: string;
}

type Texts = Pick<Resolver, 'resolveTxt'>;

/**
 * Asks the domain name system for what receivers look at.
 * @param options.returnPaths domains to which bounces may go, the likeliest first: SPF is about
 * these, not about the sender that people see
 * @param options.selectors names under which the provider publishes its DKIM key
 * @throws StartError if the domain name system does not answer, or does not know the domain
 */
export async function checkDomain(
  resolver: Texts,
  domain: string,
  {
    returnPaths,
    selectors,
  }: { returnPaths: readonly [string, ...string[]]; selectors: readonly string[] },
): Promise<DomainCheck[]> {
  if (!(await exists(resolver, domain))) throw new StartError(unknown(domain));
  const keys: string[] = [];
  for (const selector of selectors) {
    const texts = await textsOf(resolver, `${selector}._domainkey.${domain}`);
    // A key without its value has been revoked.
    if (texts.some((text) => /(^|;)\s*p=[^;\s]/i.test(text))) keys.push(selector);
  }
  return [
    spfCheck(await findSpf(resolver, returnPaths)),
    dkimCheck(domain, selectors, keys),
    dmarcCheck(domain, await findDmarc(resolver, domain)),
  ];
}

/** The SPF records of the first of these domains that has any; of the first one if none has. */
async function findSpf(resolver: Texts, domains: readonly [string, ...string[]]) {
  for (const domain of domains) {
    const found = (await textsOf(resolver, domain)).filter((text) => /^v=spf1(\s|$)/i.test(text));
    if (found.length > 0) return { domain, found };
  }
  return { domain: domains[0], found: [] };
}

/** Of the domain or, as receivers look for it, of the nearest one above. */
async function findDmarc(resolver: Texts, domain: string): Promise<string | undefined> {
  const labels = domain.split('.');
  for (let above = 0; above === 0 || above <= labels.length - 2; above += 1) {
    const texts = await textsOf(resolver, `_dmarc.${labels.slice(above).join('.')}`);
    const dmarc = texts.find((text) => /^v=DMARC1\s*;/i.test(text));
    if (dmarc) return dmarc;
  }
  return undefined;
}

function spfCheck({ domain, found }: { domain: string; found: string[] }): DomainCheck {
  const [first] = found;
  if (first === undefined) {
    return {
      what: 'SPF',
      ok: false,
      says: `${domain} has no SPF record. Add a TXT record that names who may send for it, as your provider shows it: v=spf1 include:… ~all`,
    };
  }
  if (found.length > 1) {
    const says = `${domain} has ${found.length} SPF records, and receivers accept one. Put them together.`;
    return { what: 'SPF', ok: false, says };
  }
  const isOpen = /\s\+?all\b/i.test(first);
  const says = isOpen ? `${first} lets anybody send for ${domain}.` : `${first} of ${domain}`;
  return { what: 'SPF', ok: !isOpen, says };
}

function dkimCheck(domain: string, selectors: readonly string[], keys: string[]): DomainCheck {
  const where = (selector: string) => `${selector}._domainkey.${domain}`;
  if (keys.length > 0)
    return { what: 'DKIM', ok: true, says: `a key at ${keys.map(where).join(', ')}` };
  const says = `There is no key at ${selectors.map(where).join(', ')}. Publish the one your provider shows; if it has another name, say it with --selector.`;
  return { what: 'DKIM', ok: false, says };
}

function dmarcCheck(domain: string, found: string | undefined): DomainCheck {
  const says =
    found ??
    `There is no DMARC record. Add a TXT record for _dmarc.${domain}: v=DMARC1; p=quarantine; rua=mailto:you@${domain}`;
  return { what: 'DMARC', ok: found !== undefined, says };
}

const unknown = (domain: string) =>
  `The domain ${domain} doesn't exist: the domain name system doesn't know it. Is it spelled right? Without another one it is that of MAIL_FROM.`;

/** False for a name that nobody has; one that is there may have no TXT record. */
async function exists(resolver: Texts, name: string): Promise<boolean> {
  return (await askTexts(resolver, name)) !== 'ENOTFOUND';
}

/** The TXT records of a name; a long one comes in pieces. */
async function textsOf(resolver: Texts, name: string): Promise<string[]> {
  const found = await askTexts(resolver, name);
  return typeof found === 'string' ? [] : found;
}

async function askTexts(
  resolver: Texts,
  name: string,
): Promise<string[] | 'ENOTFOUND' | 'ENODATA'> {
  try {
    return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND' || code === 'ENODATA') return code;
    throw new StartError(`The domain name system doesn't answer for ${name} (${code}).`);
  }
}
