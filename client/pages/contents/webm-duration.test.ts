import { describe, expect, it } from 'vitest';
import { withDuration } from './webm-duration.ts';

/** The heads of what two browsers record, up to the tracks. */
const CHROMIUM = bytes(
  '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffffffffffff' +
    '1549a966992ad7b1830f42404d80864368726f6d655741864368726f6d651654ae6bbfaebd',
);
const FIREFOX = bytes(
  '1a45dfa3010000000000001f4286810142f7810142f2810442f381084282847765626d42878102428581021853806701' +
    'ffffffffffffff114d9b7401000000000000001549a96601000000000000492ad7b1830f424044898800000000000000' +
    '004d809851546d7578696e674170704c69625765624d2d302e302e31',
);

describe('withDuration', () => {
  it.each([
    ['that has none', CHROMIUM, '1549a96699', '1549a966a4448988'],
    ['where it is empty', FIREFOX, '4489880000000000000000', '448988'],
  ])('writes the duration into a head %s', (_, head, before, after) => {
    const milliseconds = Buffer.alloc(8);
    milliseconds.writeDoubleBE(12_500);
    expect(hex(withDuration(head, 12.5))).toBe(
      hex([head]).replace(before, after + milliseconds.toString('hex')),
    );
  });

  it('leaves alone what has a duration, and what is no WebM', () => {
    const done = bytes(hex(withDuration(CHROMIUM, 3)));
    const alsoDone = bytes(hex(withDuration(FIREFOX, 3)));
    for (const file of [
      done,
      alsoDone,
      CHROMIUM.subarray(0, 50),
      bytes('00000018667479'),
      bytes(''),
    ]) {
      expect(hex(withDuration(file, 5))).toBe(hex([file]));
    }
  });
});

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'hex'));
}

function hex(parts: Uint8Array[]): string {
  return Buffer.concat(parts).toString('hex');
}
