/** Half a megabyte a minute: clear for a voice. */
const BITS_PER_SECOND = 64_000;
/** A page that is closed loses at most this much. */
const PIECE_MS = 1_000;
const TICK_MS = 200;

/** What browsers record sound as: Chromium and Firefox the first, Safari the second. */
const TYPES = ['audio/webm;codecs=opus', 'audio/mp4'];

/** @returns null where there is no microphone to be asked for (plain http) or no recorder */
export function recordedType(): string | null {
  if (!navigator.mediaDevices?.getUserMedia || !globalThis.MediaRecorder) return null;
  return TYPES.find((type) => MediaRecorder.isTypeSupported(type)) ?? null;
}

/** `cut`: the microphone ended by itself, as it does when it is unplugged. */
export type Ending = 'stopped' | 'limit' | 'cut';

interface RecordOptions {
  /** Its abort stops the recording. */
  signal: AbortSignal;
  maxSeconds: number;
  onPiece: (piece: Blob) => void;
  onTick: (seconds: number) => void;
}

/**
 * Records the microphone until it is stopped; every piece has been handed over by then.
 * @throws {DOMException} when the microphone is refused, missing or taken
 */
export async function recordSound(options: RecordOptions): Promise<Ending> {
  const { signal, maxSeconds, onPiece, onTick } = options;
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  let timer: ReturnType<typeof setInterval> | undefined;
  // Whatever fails from here on turns the microphone off.
  try {
    signal.throwIfAborted();
    const type = recordedType();
    const recorder = new MediaRecorder(stream, {
      ...(type && { mimeType: type }),
      audioBitsPerSecond: BITS_PER_SECOND,
    });
    let ending: Ending = 'cut';
    const stop = (why: Ending) => {
      if (recorder.state === 'inactive') return;
      ending = why;
      recorder.stop();
    };
    const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve));
    recorder.addEventListener('dataavailable', ({ data }) => data.size > 0 && onPiece(data));
    signal.addEventListener('abort', () => stop('stopped'));
    for (const track of stream.getTracks()) {
      track.addEventListener('ended', () => stop('cut'));
      // A phone mutes the microphone for a call, and would go on recording silence.
      track.addEventListener('mute', () => stop('cut'));
    }
    recorder.start(PIECE_MS);
    const startedAt = performance.now();
    timer = setInterval(() => {
      const seconds = (performance.now() - startedAt) / 1_000;
      onTick(Math.min(seconds, maxSeconds));
      if (seconds >= maxSeconds) stop('limit');
    }, TICK_MS);
    await stopped;
    return ending;
  } finally {
    clearInterval(timer);
    for (const track of stream.getTracks()) track.stop();
  }
}
