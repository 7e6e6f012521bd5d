/** The secret in an emailed link: behind the `#`, except for a reset link. */
export function secretIn(link: URL, name = 'token'): string {
  const behind = new URLSearchParams(link.hash.slice(1)).get(name);
  return String(behind ?? link.searchParams.get(name));
}
