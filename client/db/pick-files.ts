import type { SiteLimits } from '../../shared/api/site.ts';
import { isAcceptedFile } from '../../shared/file-types.ts';
import { MEGABYTE } from '../../shared/limits.ts';

/** What files may be added: of one capsule, or of what one person adds to another's. */
export type PickLimits = Omit<SiteLimits, 'storageLimitMB' | 'handsOverInvitations'>;

export type PickedFile = { name: string; size: number; lastModified: number };

export interface Pick {
  /** The new files that can be added. */
  files: readonly File[];
  /** One sentence for each reason why files were left out. */
  refused: readonly string[];
}

/** Chooses the files that the limits allow. While unknown, only the server checks sizes. */
export function addFiles(
  before: readonly PickedFile[],
  added: readonly File[],
  limits: PickLimits | null,
): Pick {
  const files: File[] = [];
  const refused = new Map<string, string[]>();
  for (const file of added) {
    const others = [...before, ...files];
    if (others.some((other) => isSame(other, file))) continue;
    const why = whyNot(file, others, limits);
    if (why === null) files.push(file);
    else refused.set(why, [...(refused.get(why) ?? []), file.name]);
  }
  return { files, refused: [...refused].map(([why, names]) => refusalText(names, why)) };
}

const NAMED_MAX = 3;

/** "We couldn't add a.png, b.png, c.png and 40 more. They're empty." */
function refusalText(names: readonly string[], why: string): string {
  if (names.length === 1) return `We couldn't add ${names[0]}. ${why}`;
  const others = names.length - NAMED_MAX;
  const last = others > 0 ? `${others} more` : names.at(-1);
  const named = names.slice(0, others > 0 ? NAMED_MAX : -1).join(', ');
  return `We couldn't add ${named} and ${last}. ${why.replace("It's", "They're")}`;
}

function whyNot(
  file: File,
  files: readonly PickedFile[],
  limits: PickLimits | null,
): string | null {
  if (!isAcceptedFile(file)) return 'Only images, videos and PDFs work here.';
  if (file.size === 0) return "It's empty.";
  if (!limits) return null;
  if (file.size > limits.maxFileMB * MEGABYTE) {
    return `It's larger than ${limits.maxFileMB} MB.`;
  }
  if (files.length >= limits.maxFiles) {
    return `A capsule can hold ${limits.maxFiles} files.`;
  }
  if (totalBytes([...files, file]) > limits.maxCapsuleMB * MEGABYTE) {
    return `All files together would be larger than ${limits.maxCapsuleMB} MB.`;
  }
  return null;
}

function isSame(a: PickedFile, b: PickedFile): boolean {
  return a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;
}

export function totalBytes(files: readonly PickedFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

export function limitsText(limits: PickLimits | null): string {
  if (!limits) return '';
  const { maxFiles, maxFileMB, maxCapsuleMB } = limits;
  const each = maxFileMB < maxCapsuleMB ? `${maxFileMB} MB each and ` : '';
  return `Up to ${maxFiles} files, ${each}${maxCapsuleMB} MB together.`;
}
