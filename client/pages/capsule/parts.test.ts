import { describe, expect, it } from 'vitest';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { whatIn } from './parts.ts';

function file(fileName: string, fileType: string): CapsuleFile {
  return { fileId: fileName, fileName, fileType, fileSize: 1 };
}

describe('what somebody has put in', () => {
  it.each<[string, string, CapsuleFile[]]>([
    ['a letter', 'Dear Mia', []],
    ['a photo', '', [file('Lake.jpg', 'image/jpeg')]],
    [
      'a letter, a voice memo, 2 photos, a video, a PDF',
      'Dear Mia',
      [
        file('Speech.pdf', 'application/pdf'),
        file('Lake.jpg', 'image/jpeg'),
        file('Voice memo, 31 December 2029.webm', 'video/webm'),
        file('Swing.mp4', 'video/mp4'),
        file('Tree.jpg', 'image/jpeg'),
      ],
    ],
  ])('is told in words: %s', (words, letter, files) => {
    expect(whatIn({ id: '1', name: 'Tove', letter, files })).toBe(words);
  });
});
