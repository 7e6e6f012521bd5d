/** With these, a server says only that it has failed, or that it doesn't take some address. */
const NO_REASON = ['5.0.0', '5.1.0'];
/** No such address, domain or mailbox, or one that is closed. */
const GONE = /^5\.(1\.[1-6]|1\.9|1\.10|2\.[01]|4\.4)$/;
/** A full mailbox, or an email that is too large or of a kind that is not taken. */
const NOT_TAKEN = /^5\.(2\.\d+|3\.4|6\.\d+)$/;
/** Of this moment, of our sender, or of a rule: whatever the words are, the mailbox may be there. */
const OTHER = /^(4\.\d+\.\d+|5\.1\.[78]|5\.7\.\d+)$/;

/** Answers have a few lines. What comes behind this is not read. */
const ANSWER_MAX = 2_000;

const MAILBOX = String.raw`(?:user|mail ?box|recipient|account|address|alias|local[ -]part)\b`;
const GAP = String.raw`(?: [\w'"-]+){0,7}?`;
/** Such as "No such user", "Mailbox is disabled" or "The account you tried to reach does not exist". */
const MAILBOX_GONE = new RegExp(
  [
    String.raw`\b(?:no such|unknown|invalid|inactive|disabled|non-?existent|unroute?able|undeliverable)(?: [\w-]+)? ${MAILBOX}`,
    String.raw`\bno mailbox\b`,
    String.raw`\bnot (?:a|our) customer\b`,
    String.raw`\bnot listed in (?:\w+ )?directory\b`,
    String.raw`\b${MAILBOX}${GAP} (?:unknown|invalid|inactive|disabled|unavailable|deactivated|closed)\b`,
    String.raw`\b${MAILBOX}${GAP}(?: not|n't| no longer) (?:found|known|exist|available|active|valid|recogni[sz]ed)\b`,
    String.raw`\b${MAILBOX}${GAP}(?: not|n't) have an? [\w.-]+ account\b`,
  ].join('|'),
  'i',
);
/** What refusals say of a sender, such as "relay not permitted", or of this moment. */
const OTHER_CAUSE =
  /\b(relay|rcpthosts|denied|prohibit|permi(t|ssion)|block|black ?list|(?<!not )listed\b|spam|reputation|polic(y|ies)|sender|originator|mail from|return.?path|envelope|suspend|quota|limit|rate\b|(un)?auth(enticat|ori[sz]|\b)|password|login|credential|helo\b|spf\b|dkim\b|dmarc\b|dns\b|ptr\b|ip\b|client|hostname|verif|allow|your (e?mail )?(account|address|mailbox)|too many|temporar|try again|later\b|full\b)/i;
const TEMPORARY = /(?:^|[;:])\s*4\d\d[ -]/m;

/**
 * Whether a refusal says that a mailbox takes no email for good, by a status of RFC 3463 or, where
 * that leaves it open, in words. A full mailbox, a text or a sender that is refused, or a server that
 * is away says nothing about the address.
 * @param statuses the first one that says something counts
 */
export function saysGone(statuses: (string | null)[], answer: string): boolean {
  for (const status of statuses) {
    if (status && GONE.test(status)) return true;
    if (status && (OTHER.test(status) || isNotTaken(status))) return false;
  }
  return isAboutMailbox(answer.slice(0, ANSWER_MAX));
}

/** Whether a status says that this email is never taken, of an address that is not gone. */
export function isNotTaken(status: string): boolean {
  return NOT_TAKEN.test(status);
}

/** The status in an answer such as `550 5.1.1 No such user`. Null without one that says anything. */
export function statusIn(answer: string): string | null {
  const pattern = /(?:^|\D)\d{3}[ -](?:#)?([245]\.\d{1,3}\.\d{1,3})\b/;
  const status = pattern.exec(answer.slice(0, ANSWER_MAX))?.[1];
  return status === undefined || NO_REASON.includes(status) ? null : status;
}

/** Whether the words of a refusal say that there is no such mailbox, and name no other cause. */
function isAboutMailbox(answer: string): boolean {
  // An address may have any of the words in it.
  const words = answer
    .replaceAll(/<[^<>]*>/g, ' ')
    .split(/\s+/)
    .filter((word) => !word.includes('@'))
    .join(' ');
  return MAILBOX_GONE.test(words) && !OTHER_CAUSE.test(words) && !TEMPORARY.test(answer);
}
