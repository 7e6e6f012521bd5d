import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { compare } from './compare.ts';
import { halved, packed, readPicture } from './picture.ts';

const WIDTH = 480;
const HEIGHT = 320;

/** A screen of the product, drawn without fonts: paper, a card, a line of text, an icon, a button. */
interface Screen {
  surface?: string;
  hasRule?: boolean;
  /** Pixels that the letters are off their place, and how much thicker they are. */
  lettersOff?: number;
  lettersThicker?: number;
  /** How many words the second line has. */
  words?: number;
  hasIcon?: boolean;
  buttonAt?: number;
  button?: string;
}

function draw(screen: Screen): Promise<Buffer> {
  const { surface = '#fcfaf5', hasRule = true, hasIcon = true } = screen;
  const { buttonAt = 48, button = '#a84e22' } = screen;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="${WIDTH}" height="${HEIGHT}" fill="#f4f1ea"/>
    <rect x="24.5" y="24.5" width="431" height="271" rx="14" fill="${surface}" stroke="#d8d1c1"/>
    ${line(screen, 70, 9)}${line(screen, 96, screen.words ?? 7)}${line(screen, 122, 8)}
    ${hasIcon ? ICON : ''}${hasRule ? RULE : ''}
    <rect x="${buttonAt}" y="220" width="150" height="44" rx="6" fill="${button}"/>
    ${line({ ...screen, words: 3 }, 240, 3, buttonAt + 24, '#fff')}
  </svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

const RULE = '<path d="M48 180.5H432" stroke="#d8d1c1"/>';
const ICON =
  '<g fill="none" stroke="#96431a" stroke-width="2"><circle cx="409" cy="79" r="8"/><path d="M415 85l6 6"/></g>';

/** Words of strokes as thin, as high and as near each other as letters are. */
function line(
  { lettersOff = 0, lettersThicker = 0 }: Screen,
  y: number,
  words: number,
  x = 48,
  ink = '#1e2523',
) {
  const strokes = Array.from({ length: words }, (_, word) =>
    [0, 4, 9, 13, 18].map((step, at) => {
      const left = x + word * 32 + step + lettersOff;
      return `M${left} ${y - (at % 2) * 4}V${y + 10}m0 -5h3`;
    }),
  );
  return `<path d="${strokes.flat().join('')}" stroke="${ink}" stroke-width="${1.5 + lettersThicker}" fill="none"/>`;
}

/** As in the tests: the expected one has been kept in the repository. */
async function comparison(change: Screen, from: Screen = {}) {
  const expected = await readPicture(await packed(await halved(await draw(from))));
  return compare(expected, await halved(await draw(change)));
}

describe('two pictures are the same', () => {
  it.each<[string, Screen]>([
    ['when nothing has changed', {}],
    ['when letters fall between other pixels', { lettersOff: 0.4 }],
    ['when letters are a little thicker', { lettersThicker: 0.2 }],
    ['when letters are a little thinner', { lettersThicker: -0.2 }],
    ['when both come together', { lettersOff: -0.3, lettersThicker: 0.15 }],
  ])('%s', async (_, screen) => {
    expect(await comparison(screen)).toMatchObject({ same: true });
  });
});

describe('two pictures differ', () => {
  it.each<[string, Screen]>([
    ['when a button has moved by four pixels', { buttonAt: 52 }],
    ['when a button has moved by two pixels', { buttonAt: 50 }],
    ['when an icon is missing', { hasIcon: false }],
    ['when a colour has changed', { button: '#1f6b5e' }],
    ['when a colour has become a shade darker', { button: '#8d3f18' }],
    ['when paper has become white', { surface: '#ffffff' }],
    ['when a hairline has gone', { hasRule: false }],
    ['when a text is cut off', { words: 6 }],
    ['when a text has moved by two pixels', { lettersOff: 2 }],
  ])('%s', async (_, screen) => {
    expect(await comparison(screen)).toMatchObject({ same: false });
  });

  it('when one is larger, and says so', async () => {
    const expected = await halved(await draw({}));
    const narrow = { ...expected, width: expected.width - 1 };
    expect(compare(expected, narrow)).toMatchObject({
      same: false,
      summary: '240 × 160 has become 239 × 160 pixels',
    });
  });

  it('and only where they do', async () => {
    const { blocks } = await comparison({ hasIcon: false });
    const places = blocks.map(
      ({ x, y }) => x * 2 >= 380 && x * 2 < 440 && y * 2 >= 48 && y * 2 < 112,
    );
    expect(places.length).toBeGreaterThan(0);
    expect(places).not.toContain(false);
  });
});
