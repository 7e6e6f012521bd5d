/** SHA-256; null on plain http, where browsers keep their hashes to themselves. */
export async function sha256(bytes: ArrayBuffer): Promise<ArrayBuffer | null> {
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  return subtle ? subtle.digest('SHA-256', bytes) : null;
}

/** What could not be hashed cannot be compared. */
export function sameDigest(kept: ArrayBuffer | null, found: ArrayBuffer | null): boolean {
  if (kept === null || found === null) return true;
  const [a, b] = [new Uint8Array(kept), new Uint8Array(found)];
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
