import { describe, expect, it } from 'vitest';
import {
  ACCEPTED_FILES,
  fileKind,
  fileSizeText,
  isAcceptedType,
  toMegabytes,
} from './file-types.ts';
import { pageWindow, showingText } from './pagination.ts';

describe('pageWindow', () => {
  it.each([
    [1, 0, []],
    [1, 1, [1]],
    [4, 7, [1, 2, 3, 4, 5, 6, 7]],
    [1, 8, [1, 2, 'ellipsis', 8]],
    [2, 8, [1, 2, 3, 'ellipsis', 8]],
    [3, 8, [1, 2, 3, 4, 'ellipsis', 8]],
    [5, 10, [1, 'ellipsis', 4, 5, 6, 'ellipsis', 10]],
    [8, 8, [1, 'ellipsis', 7, 8]],
  ])('page %d of %d [9.limits.5 9.limits.6]', (current, total, links) => {
    expect(pageWindow(current, total)).toEqual(links);
  });
});

describe('showingText [2.dashboard.17]', () => {
  it.each([
    [
      { currentPage: 1, totalPages: 2, itemsPerPage: 6, totalItems: 8 },
      'Showing 1 to 6 of 8 capsules',
    ],
    [
      { currentPage: 2, totalPages: 2, itemsPerPage: 6, totalItems: 8 },
      'Showing 7 to 8 of 8 capsules',
    ],
    [
      { currentPage: 1, totalPages: 0, itemsPerPage: 6, totalItems: 0 },
      'Showing 0 to 0 of 0 capsules',
    ],
  ])('%j', (pagination, text) => {
    expect(showingText(pagination)).toBe(text);
  });
});

describe('files', () => {
  it('gives each extension its icon [2.dashboard.28]', () => {
    expect(
      ['a.JPG', 'a.b.mp4', 'a.pdf', 'a.exe', 'none', '.hidden', 'a.constructor'].map(fileKind),
    ).toEqual(['image', 'video', 'pdf', 'other', 'other', 'other', 'other']);
  });

  it('writes sizes in KB below one megabyte, else in MB, with two decimals [9.limits.14]', () => {
    expect(fileSizeText(toMegabytes(524_288))).toBe('512 KB');
    expect(fileSizeText(toMegabytes(560))).toBe('1 KB');
    expect(fileSizeText(toMegabytes(1_048_575))).toBe('1023 KB');
    expect(fileSizeText(toMegabytes(1_048_576))).toBe('1.00 MB');
    expect(fileSizeText(3.416)).toBe('3.42 MB');
  });

  it('lets the picker of an iPhone make a JPEG of a HEIC', () => {
    expect(ACCEPTED_FILES).toContain('image/*,video/*,application/pdf,.jpg');
    expect(ACCEPTED_FILES).toContain(',.mkv');
    expect(ACCEPTED_FILES).not.toMatch(/hei[cf]/);
  });

  it('takes images, videos and PDF [5.create.5]', () => {
    expect(['image/png', 'video/mp4', 'application/pdf'].every(isAcceptedType)).toBe(true);
    expect(['text/html', 'application/zip', 'xximage/png'].some(isAcceptedType)).toBe(false);
  });
});
