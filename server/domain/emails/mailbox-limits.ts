import { isUnconfirmed } from '../../db/email-content/subjects.ts';
import type { Email } from '../../db/emails/sendings.ts';
import type { Deps } from '../../deps.ts';

/** Where one mailbox has one domain to itself too rarely to count by it: strangers share these. */
const PROVIDERS = new Set(
  `gmail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com icloud.com me.com mac.com
aol.com gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de posteo.de mailbox.org proton.me
protonmail.com pm.me tuta.com fastmail.com zoho.com mail.com mail.ru yandex.ru orange.fr free.fr
laposte.net libero.it wp.pl o2.pl seznam.cz qq.com 163.com 126.com naver.com comcast.net`.split(
    /\s+/,
  ),
);
/** The same providers in other countries: yahoo.co.uk, hotmail.fr. */
const PROVIDERS_ELSEWHERE = /^(yahoo|hotmail|outlook|live|gmx|aol|yandex)(\.com?)?\.[a-z]{2,3}$/;
const SAME_DOMAIN: Record<string, string> = { 'googlemail.com': 'gmail.com' };

type Counted = Pick<Email, 'id' | 'kind'> & {
  address: string;
  /** Of a link to confirm an address: which client has asked for it, as a hash. */
  requestedBy?: string | null;
};

/**
 * Whether an urgent email may go to its address, by the limits for addresses that nobody has
 * confirmed. @param mail its person is null for whoever has the address
 */
export async function mayWriteTo(
  { db, limits }: Pick<Deps, 'db' | 'limits'>,
  mail: Counted & Pick<Email, 'userId'>,
): Promise<boolean> {
  return !(await isUnconfirmed(db, mail)) || mayWriteToUnconfirmed({ limits }, mail);
}

/**
 * Whether an email may go to an address that nobody has confirmed. Anybody can cause them, so they are
 * few to one mailbox, in whatever way its address is written, and to one domain, all of which may go
 * to one mailbox. Where a domain is full, the first link still goes to each plain address, if its client
 * has caused few. Counts each email once, however often the provider puts it off.
 */
export async function mayWriteToUnconfirmed(
  { limits }: Pick<Deps, 'limits'>,
  { id, kind, address, requestedBy }: Counted,
): Promise<boolean> {
  const isFree = async (name: Parameters<typeof limits.take>[0], key: string) =>
    (await limits.tryTake(name, key)).isWithin;
  if (!(await isFree('mailCounted', id))) return true;
  const { mailbox, domain } = mailboxOf(address);
  const client = kind === 'verify-email' ? requestedBy : null;
  const isByFew = client ? await isFree('confirmByClient', client) : false;
  const isPlain = mailbox === address;
  // Counted apart, so that other spellings use up nothing of the plain address.
  const key = isPlain ? mailbox : `${mailbox} otherwise`;
  const isFew =
    ((await isFree('mailboxHour', key)) && (await isFree('mailboxDay', key))) ||
    // Links for a new password have limits of their own, so that nobody can keep the owner from one.
    (isPlain && (kind === 'password-reset' || (await isFree('mailboxSpare', key))));
  const isShared = PROVIDERS.has(domain) || PROVIDERS_ELSEWHERE.test(domain);
  if (!isFew || isShared) return isFew;
  const isDomainFree =
    (await isFree('mailDomainHour', domain)) && (await isFree('mailDomainDay', domain));
  return isDomainFree || (isPlain && isByFew && isFree('confirmSpare', mailbox));
}

/** What lies behind an address: without what is after a `+`, and Gmail's dots. */
export function mailboxOf(address: string): { mailbox: string; domain: string } {
  const at = address.lastIndexOf('@');
  const written = address.slice(at + 1);
  const domain = SAME_DOMAIN[written] ?? written;
  const [name = ''] = address.slice(0, at).split('+');
  const plain = domain === 'gmail.com' ? name.replaceAll('.', '') : name;
  return { mailbox: `${plain}@${domain}`, domain };
}
