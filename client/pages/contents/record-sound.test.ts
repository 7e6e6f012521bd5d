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
  const refused = Object.assign(
    function Refused() {
      throw new DOMException('Not this one', 'NotSupportedError');
    },
    { isTypeSupported: () => false },
  );
  vi.stubGlobal('MediaRecorder', refused);
  await expect(recordSound(options())).rejects.toThrow('Not this one');
  expect(stop).toHaveBeenCalledOnce();
});
