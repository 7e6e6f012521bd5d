/** All of `ui/fonts.css`; each file has every weight. */
const FACES = ['1em "Literata"', '1em "Atkinson Hyperlegible Next"', '1em "Martian Mono"'];

/** What takes longer would move lines that are being read. */
const SOON_MS = 1_000;

/**
 * A page that came with its words is shown in the faces of the device at first, so that neither
 * its words nor the app wait for ours. Where they come soon they are taken; else the next visit
 * has them.
 */
export async function takeFaces(): Promise<void> {
  const { dataset } = document.documentElement;
  if (dataset.faces !== 'later') return;
  const asked = performance.now();
  await Promise.all(FACES.map((face) => document.fonts.load(face)));
  if (performance.now() - asked <= SOON_MS) delete dataset.faces;
}
