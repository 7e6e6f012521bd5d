import type { ContributionLink } from '../../../shared/api/contributions.ts';
import { dayAt } from '../../../shared/day.ts';
import { type Contribution, isOver, isUnsent, toSend } from '../../db/contributions.ts';
import type { Attachment } from '../../db/tables.ts';
import { ownTimeZone } from '../../hooks/use-now.ts';
import { listText, longDay } from '../format.ts';

/** What a link asks for: 'Anna Becker is making a time capsule for Mia. It opens on 4 May 2040.' */
export function purposeText({
  organiser,
  recipientNames = [],
  dateToUnlock,
}: Pick<ContributionLink, 'organiser' | 'recipientNames' | 'dateToUnlock'>) {
  const others = recipientNames.length - 2;
  const more = others === 1 ? '1 other' : `${others} others`;
  const names = others > 0 ? [...recipientNames.slice(0, 2), more] : recipientNames;
  const whom = names.length === 0 ? '' : ` for ${listText(names)}`;
  const isKnown = dateToUnlock && dateToUnlock >= dayAt(new Date(), ownTimeZone());
  const when = isKnown ? ` It opens on ${longDay(dateToUnlock)}.` : '';
  return `${organiser} is making a time capsule${whom}.${when}`;
}

/* What became of what somebody has added, in words. */

export interface PartState {
  /** `writing`: it was never given, and waits for the person. */
  kind: 'writing' | 'waiting' | 'arrived' | 'over';
  title: string;
  text: string;
}

interface Situation {
  /** The first name of who asks, or {@link UNKNOWN}. */
  who: string;
  /** On which it was to open, as it was told last. */
  day?: string | undefined;
  /** There is a connection, and what was tried last got through. */
  isOnline: boolean;
  /** This browser sends with the page closed. */
  sendsWhenClosed: boolean;
}

export function stateOf(one: Contribution, situation: Situation): PartState {
  const { known, sent, refusal } = one.row;
  const { who } = situation;
  if (isOver(one.row)) return over(one, situation);
  if (one.row.state === 'taken-back') {
    const text = `We'll take it back as soon as there's a connection. Until then, ${who} still has it.`;
    return { kind: 'waiting', title: 'Waiting to be taken back', text };
  }
  if (one.row.state === 'writing') return { kind: 'writing', title: '', text: '' };
  const arrived = known !== undefined;
  if (!isUnsent(one)) return whereFilesAre(one, situation);
  if (refusal !== undefined) {
    const title = arrived ? sentTo(who) : 'Not sent yet';
    return { kind: 'waiting', title, text: `${refusal} ${SAFE}` };
  }
  if (!sent && !toSend(one)) {
    const before = arrived ? ` ${capitalised(who)} still has what you sent before.` : '';
    return { kind: 'waiting', title: "There's nothing to send", text: `${NOTHING_LEFT}${before}` };
  }
  if (arrived) {
    const text = situation.isOnline
      ? 'Your last changes are on their way.'
      : "Your last changes go as soon as there's a connection.";
    return { kind: 'waiting', title: sentTo(who), text };
  }
  return situation.isOnline
    ? { kind: 'waiting', title: 'Sending…', text: 'This usually takes a moment.' }
    : { kind: 'waiting', title: 'Waiting to be sent', text: offlineText(situation) };
}

/** Who asks, where this browser hasn't heard it yet. */
export const UNKNOWN = 'whoever sent the link';

function capitalised(who: string): string {
  return who.charAt(0).toUpperCase() + who.slice(1);
}

const SAFE = 'Nothing is lost. It stays in this browser, and we keep trying.';
const NOTHING_LEFT = 'Your name, or everything else, is gone. Write something, or take it back.';
const STAYS = 'What you wrote is still here, in this browser.';

function offlineText({ sendsWhenClosed }: Situation): string {
  const when = "It's saved in this browser and goes as soon as there's a connection.";
  return sendsWhenClosed
    ? `${when} You can close this page.`
    : `${when} Please open this page again then.`;
}

const quoted = (files: readonly { name: string }[]) =>
  files.map(({ name }) => `“${name}”`).join(', ');

export const lostText = (files: readonly { name: string }[]) =>
  `${quoted(files)} can't be read. Please add it again or remove it.`;

/** Files of another device are on the server, and not here. */
export function takeBackText(files: readonly Attachment[]): string {
  const others = quoted(files.filter(({ isElsewhere }) => isElsewhere));
  const but = others === '' ? '' : `, but not ${others}, which came from another device`;
  return `What you wrote stays in this browser until you delete it there${but}.`;
}

function whereFilesAre(one: Contribution, { who, isOnline }: Situation): PartState {
  const hasWords = `${capitalised(who)} has your words`;
  const lost = one.files.filter((file) => file.lost);
  if (lost.length > 0) return { kind: 'waiting', title: hasWords, text: lostText(lost) };
  const away = one.files.filter((file) => file.isElsewhere && !file.hasArrived);
  if (away.length > 0) {
    // The other device can send it until this one saves a change.
    const text = one.row.newSecret
      ? `${quoted(away)} hasn't come from your other device yet. Please keep the page open there.`
      : `${quoted(away)} didn't come from your other device. Please remove it here and add it again.`;
    return { kind: 'waiting', title: hasWords, text };
  }
  const left = one.files.filter(({ hasArrived }) => !hasArrived).length;
  if (left === 0) return { kind: 'arrived', title: sentTo(who), text: unread(who) };
  const files = left === 1 ? '1 file is' : `${left} files are`;
  const refused = one.files.find((file) => file.refused)?.refused;
  if (refused) return { kind: 'waiting', title: hasWords, text: `${refused.message} ${SAFE}` };
  const text = isOnline
    ? `${files} still on the way. Please keep this page open.`
    : `${files} still here, and will go as soon as there's a connection.`;
  return { kind: 'waiting', title: hasWords, text };
}

const sentTo = (who: string) => `Sent to ${who}`;

export const unread = (who: string) => `Nobody can read it before the day, not even ${who}.`;

function over(one: Contribution, { who, day }: Situation): PartState {
  const outcome = one.row.state;
  if (outcome === 'late') {
    const text = `It was sealed before this arrived. Please ask ${who}. ${STAYS}`;
    return { kind: 'over', title: 'It came too late', text };
  }
  if (outcome === 'ended') {
    const text = `Ask ${who} for a new link. What you wrote is safe in this browser.`;
    return { kind: 'over', title: "This link doesn't work any more", text };
  }
  if (outcome === 'elsewhere') {
    const text = `To change it here, open your personal link from there. ${STAYS}`;
    return { kind: 'over', title: "You've gone on with it on another device", text };
  }
  if (outcome === 'gone') {
    const text = `${capitalised(who)} removed it, or it was taken back on another device. ${STAYS}`;
    return { kind: 'over', title: "It isn't there any more", text };
  }
  const late = quoted(one.files.filter(({ hasArrived }) => !hasArrived));
  const missing = [
    isUnsent(one) && late === ''
      ? `What you changed last ${one.row.sent ? 'may have come' : 'came'} too late.`
      : '',
    late === '' ? '' : `${late} came too late.`,
  ].filter((sentence) => sentence !== '');
  const sentences = ["It's in, and nobody can read it before its day."];
  // It may have been changed before it was sealed, and the page may be read after it.
  if (day) sentences.push(`When you added this, it was to open on ${longDay(day)}.`);
  sentences.push("It can't be changed now.");
  if (missing.length > 0) sentences.push(...missing, STAYS);
  return { kind: 'over', title: 'Sealed', text: sentences.join(' ') };
}
