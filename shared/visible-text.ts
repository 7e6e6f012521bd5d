/**
 * Characters that show nothing: zero-width ones, text directions, fillers. Two addresses or names
 * that differ in nothing else look the same to whoever chooses a recipient.
 */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

const EMOJI = '\\p{Extended_Pictographic}[\\uFE0E\\uFE0F]?\\p{Emoji_Modifier}?';
/** Signs of Indic scripts that join two consonants. */
const VIRAMA = '[\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA]';
const ARABIC_LETTER = '[\\u0620-\\u063F\\u0641-\\u064A\\u066E-\\u06D3\\u06D5\\u06FA-\\u06FF]';
/** Those that connect to the letter after them. */
const CONNECTING_LETTER =
  '[\\u0620\\u0626\\u0628\\u062A-\\u062E\\u0633-\\u063F\\u0641-\\u0647\\u0649\\u064A\\u066E\\u066F\\u0678-\\u0687\\u069A-\\u06BF\\u06C1\\u06C2\\u06CC\\u06CE\\u06D0\\u06D1\\u06FA-\\u06FC\\u06FF]';
/** England, Scotland and Wales: a black flag, then the region in invisible letters. */
const REGIONAL_FLAGS = ['gbeng', 'gbsct', 'gbwls'].map((region) => {
  const letters = [...region].map((letter) => 0xe0000 + letter.charCodeAt(0));
  return String.fromCodePoint(0x1f3f4, ...letters, 0xe007f);
});

/**
 * Where an invisible character changes what is seen, so that a name may need it: in a family or a
 * red heart among emoji, and as ordinary spelling after a virama (Sinhala ශ්‍රී) or between Arabic
 * letters that would connect (Persian علی‌رضا). Anywhere else it only hides.
 */
const NEEDED = new RegExp(
  [
    ...REGIONAL_FLAGS,
    `${EMOJI}(?:\\u200D${EMOJI})*`,
    '[0-9#*]\\uFE0F\\u20E3',
    `${VIRAMA}[\\u200C\\u200D]`,
    `${CONNECTING_LETTER}\\p{M}*\\u200C(?=${ARABIC_LETTER})`,
  ].join('|'),
  'gu',
);

/** The Braille blank is a symbol to Unicode and a space to the eye. */
const NOTHING_TO_SEE = /^[\p{Z}\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

export function hasInvisible(text: string): boolean {
  return INVISIBLE.test(text);
}

/** As `hasInvisible`, but not for characters that the spelling of a name needs. */
export function hidesCharacters(name: string): boolean {
  return INVISIBLE.test(name.replace(NEEDED, ''));
}

/** A name without the characters that only hide. */
export function withoutHidden(name: string): string {
  const each = new RegExp(`(${NEEDED.source})|${INVISIBLE.source}`, 'gu');
  return name.replace(each, (_, needed = '') => needed);
}

export function isBlank(name: string): boolean {
  return NOTHING_TO_SEE.test(name);
}

/**
 * A text for a terminal, which obeys control characters, in lines of its own. They are written as in
 * JSON, so that a person sees them, and a program reads them. Joiners stay: spelling and emoji need them.
 */
export function forTerminal(text: string): string {
  return text.replace(/[^\P{C}\n\u200C\u200D]/gu, (found) =>
    Array.from(
      { length: found.length },
      (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
