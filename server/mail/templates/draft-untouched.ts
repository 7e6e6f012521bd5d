import { layOut, type RenderedEmail } from './layout.ts';
import { greet, longDay } from './plain.ts';

/** Asks whether drafts that nobody has touched for two years are still wanted. It names none of them. */
export function draftUntouchedMail({
  name,
  drafts,
  lastDay,
  url,
}: {
  name: string;
  /** At least one. */
  drafts: number;
  /** On which the last one of them was changed. */
  lastDay: string;
  url: string;
}): RenderedEmail {
  const isOne = drafts === 1;
  return layOut({
    subject: isOne ? 'You have an unfinished capsule' : 'You have unfinished capsules',
    preheader: isOne ? "It's still here, as you left it." : "They're still here, as you left them.",
    paragraphs: [
      `${greet('Hello', name)},`,
      isOne
        ? "You began a capsule, and haven't changed it for about two years. Perhaps you want to go on, or to discard it."
        : `You began ${drafts} capsules, and haven't changed them for about two years. Perhaps you want to go on, or to discard them.`,
    ],
    details: [{ label: 'Last changed', value: longDay(lastDay) }],
    action: { label: isOne ? 'See your draft' : 'See your drafts', url },
    notes: ["If you do nothing, nothing is deleted. We won't ask again for two years."],
    reason: isOne
      ? "You're receiving this email because a draft of yours is saved to your account."
      : "You're receiving this email because drafts of yours are saved to your account.",
  });
}
