/** Whether this browser can have passkeys here. For an address in numbers there are none. */
export function canUsePasskeys(): boolean {
  const { PublicKeyCredential, location } = globalThis.window ?? {};
  return PublicKeyCredential !== undefined && !/^[\d.]+$|:/.test(location.hostname);
}
