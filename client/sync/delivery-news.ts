/** A queued capsule that the server has sealed. */
export interface Delivered {
  owner: string;
  /** What it was called in the outbox: its Idempotency-Key. */
  id: string;
  title: string;
}

const CHANNEL = 'time-capsule-delivered';

/** Tells every open page, whichever page or worker has sent it. */
export function announceDelivered(news: Delivered): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(news);
  channel.close();
}

/** @returns how to stop listening */
export function onDelivered(listener: (news: Delivered) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Delivered>) => listener(data);
  return () => channel.close();
}
