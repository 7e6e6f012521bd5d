import { ADDRESS_LINK_HOURS } from '../../../shared/limits.ts';
import { layOut, type RenderedEmail, type ToPerson } from './layout.ts';
import { greet, moment } from './plain.ts';

/**
 * To the new address, which is theirs only once the link was opened. @param asked what they asked us
 * for @param isMain it is the main one already, which nobody had to confirm @param waitsUntil of an
 * operator's change: until when others can object
 */
export function confirmAddressMail(
  input: ToPerson & { asked: string; isMain: boolean; waitsUntil: Date | null },
): RenderedEmail {
  const { asked, isMain, waitsUntil, zone } = input;
  return layOut({
    subject: 'Please confirm your email address',
    preheader: 'Nothing changes before you do.',
    heading: 'Is this address yours?',
    paragraphs: [`${greet('Hello', input.name)},`, `${asked} Please confirm that it's yours.`],
    action: { label: 'Confirm my address', url: input.url },
    notes: [
      waitsUntil
        ? `The link works once, until ${moment(waitsUntil, zone)}. That's when the change takes effect, unless someone stops it at one of your earlier addresses.`
        : `The link works once, within ${ADDRESS_LINK_HOURS} hours.`,
    ],
    reason: `${
      isMain
        ? "An account has this address as its main one. If it isn't yours"
        : "Someone gave us this address as theirs. If it wasn't you"
    }, please ignore this email. Without your confirmation nothing changes.`,
  });
}
