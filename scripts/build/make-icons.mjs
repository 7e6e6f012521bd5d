import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { runnerImport } from 'vite';

/**
 * Draws the icons in public/ from the product's own seal. Run it again when the seal changes:
 * `node scripts/build/make-icons.mjs`.
 */

const COPPER = '#96431a';
const STONE = '#f4f1ea';
const OUT = new URL('../../public/', import.meta.url);

const { module: geometry } = await runnerImport(
  new URL('../../shared/seal-geometry.ts', import.meta.url).pathname,
);

/**
 * Solid rings for past years and a dashed one for the year to come. Three bold rings are still
 * readable at 16 pixels.
 */
function rings() {
  const grown = geometry.growRings('time-capsule', 3, 14);
  return grown
    .map((ring, index) => {
      const passed = index === 2 ? 0.62 : 1;
      const ahead = geometry.arcPath(ring, passed, 1);
      return (
        `<path d="${geometry.arcPath(ring, 0, passed)}" stroke-width="7"/>` +
        (ahead && `<path d="${ahead}" stroke-width="4" stroke-dasharray="3 9"/>`)
      );
    })
    .join('');
}

/**
 * @param {{ ground?: string, ink: string, hole: string, scale: number, corner?: number }} look
 *   without a ground, only the shape, for systems that colour it themselves
 */
function icon({ ground, ink, hole, scale, corner = 0 }) {
  const back = ground ? `<rect width="160" height="160" rx="${corner}" fill="${ground}"/>` : '';
  // The keyhole is cut out, so that it stays visible when a system paints the shape in one
  // colour.
  const hasp =
    `<path fill="${ink}" stroke="${hole}" stroke-width="5" fill-rule="evenodd" ` +
    'd="M73 122h14a6 6 0 0 1 6 6v22a6 6 0 0 1-6 6h-14a6 6 0 0 1-6-6v-22a6 6 0 0 1 6-6z' +
    'M80 132a3 3 0 0 0-3 3v8a3 3 0 0 0 6 0v-8a3 3 0 0 0-3-3z"/>';
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 160">${back}` +
    `<g transform="translate(80 80) scale(${scale}) translate(-80 -83)" fill="none" stroke="${ink}" stroke-linecap="round">` +
    `${rings()}${hasp}</g></svg>\n`
  );
}

const whole = icon({ ground: COPPER, ink: STONE, hole: COPPER, scale: 0.84, corner: 36 });
// Phones may crop the icon to a circle, so the drawing stays within the middle 80 %.
const maskable = icon({ ground: COPPER, ink: STONE, hole: COPPER, scale: 0.68 });
const monochrome = icon({ ink: '#000', hole: 'none', scale: 0.84 });

/** @type {[name: string, svg: string, size: number][]} */
const PNGS = [
  ['icon-192.png', whole, 192],
  ['icon-512.png', whole, 512],
  ['icon-maskable-512.png', maskable, 512],
  ['icon-monochrome-512.png', monochrome, 512],
  ['apple-touch-icon.png', icon({ ground: COPPER, ink: STONE, hole: COPPER, scale: 0.78 }), 180],
];

await writeFile(new URL('icon.svg', OUT), whole);
for (const [name, svg, size] of PNGS) {
  await sharp(Buffer.from(svg), { density: 72 * (size / 160) * 2 })
    .resize(size, size)
    .png({ palette: true, compressionLevel: 9 })
    .toFile(new URL(name, OUT).pathname);
}
