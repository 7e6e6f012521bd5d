import { afterEach, expect, it, vi } from 'vitest';
import { recordSound } from './record-sound.ts';

afterEach(() => vi.unstubAllGlobals());

const options = () => ({
  ...{ signal: new AbortController().signal, maxSeconds: 60 },
  ...{ onPiece: () => undefined, onTick: () => undefined },
});

it('turns the microphone off, whatever fails', async () => {
  const stop = vi.fn();
  const stream = { getTracks: () => [{ stop }] };
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: async () => stream } });
  // Browsers make a few of them, and then no more.
  vi.stubGlobal('AudioContext', function Refused() {
    throw new DOMException('Too many', 'NotSupportedError');
  });
  await expect(recordSound(options())).rejects.toThrow('Too many');
  expect(stop).toHaveBeenCalledOnce();
});
