/** Longer than any browser's own. The rest is not read. */
const READ_MAX = 400;

/** In this order: most browsers also name those they want to be taken for. */
const BROWSERS: readonly [mark: string, name: string][] = [
  ['SamsungBrowser/', 'Samsung Internet'],
  ['EdgiOS/', 'Edge'],
  ['EdgA/', 'Edge'],
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Vivaldi/', 'Vivaldi'],
  ['FxiOS/', 'Firefox'],
  ['Firefox/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
];

const SYSTEMS: readonly [mark: string, name: string][] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Macintosh', 'Mac'],
  ['Linux', 'Linux'],
];

/**
 * Browser and system in words, such as “Firefox on Windows”, from what a browser says of itself.
 * Only words of these lists come out, whatever goes in. Empty where nothing is recognised.
 */
export function deviceWords(userAgent: string | undefined): string {
  const said = (userAgent ?? '').slice(0, READ_MAX);
  const named = (list: readonly [mark: string, name: string][]) =>
    list.find(([mark]) => said.includes(mark))?.[1];
  const browser = named(BROWSERS);
  const system = named(SYSTEMS);
  if (!browser) return system ?? '';
  return system ? `${browser} on ${system}` : browser;
}
