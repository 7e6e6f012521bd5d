import { chown, stat } from 'node:fs/promises';

/**
 * Root gives `target` to the owner of `source`: a server that runs as another user could not use
 * what an operator's command has written for it. What anybody else writes is theirs already.
 */
export async function keepOwner(source: string, target: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(source);
  await chown(target, uid, gid);
}
