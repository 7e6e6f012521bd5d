import type { Capsule, CapsuleFile } from '../../../shared/api/capsules.ts';
import { isVoiceMemo } from '../../../shared/file-types.ts';

/** What one person has put into a capsule. */
export interface Part {
  /** Of a contribution; the capsule's own of its sender's part. */
  id: string;
  name: string;
  letter: string;
  files: CapsuleFile[];
}

/** Lists say only how many others have added something: this device hasn't opened the capsule yet. */
export function lacksParts({ contributors = 0, contributions }: Capsule): boolean {
  return contributors > 0 && !contributions;
}

/** The sender's part first, then what others have added, in the order they came. */
export function partsOf(capsule: Capsule): [sender: Part, ...others: Part[]] {
  const { id, createdBy, fileInfo, contributions = [] } = capsule;
  const added = new Set(contributions.flatMap(({ fileIds }) => fileIds));
  const sender = {
    id,
    name: createdBy,
    letter: capsule.personalMessage ?? '',
    files: fileInfo.filter(({ fileId }) => !added.has(fileId)),
  };
  const others = contributions.map(({ personalMessage: letter, fileIds, ...part }) => {
    const own = new Set(fileIds);
    return { ...part, letter, files: fileInfo.filter(({ fileId }) => own.has(fileId)) };
  });
  return [sender, ...others];
}

/** 'a letter, a voice memo, 14 photos' */
export function whatIn({ letter, files }: Part): string {
  const memos = files.filter(({ fileName }) => isVoiceMemo(fileName)).length;
  const of = (kind: string) => files.filter(({ fileType }) => fileType.startsWith(kind)).length;
  const counts: [count: number, what: string][] = [
    [letter === '' ? 0 : 1, 'letter'],
    [memos, 'voice memo'],
    [of('image/'), 'photo'],
    [of('video/') - memos, 'video'],
    [of('application/pdf'), 'PDF'],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => (count === 1 ? `a ${what}` : `${count} ${what}s`))
    .join(', ');
}
