// Runs in pages whose layout is judged; each function gives one line for each thing that is wrong.

const CONTROLS = 'a[href], button, input:not([type=hidden]), textarea, select, summary, [role=tab]';

/** A dialog or a menu on top is all that is used; without one, the page. */
const stage = () =>
  [...document.querySelectorAll('dialog[open], [role=menu]')].at(-1) ?? document.body;

/** A pixel that only screen readers read. */
function isHiddenForEyes(element) {
  for (let around = element; around; around = around.parentElement) {
    const { clip, clipPath, position } = getComputedStyle(around);
    if (clipPath === 'inset(50%)' || (position === 'absolute' && clip !== 'auto')) return true;
  }
  return false;
}

const isShown = (element) =>
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
  element.closest('[inert]') === null;

function nameOf(element) {
  const words = element.getAttribute('aria-label') ?? element.innerText ?? element.name ?? '';
  return `${element.localName} “${words.trim().replace(/\s+/g, ' ').slice(0, 40)}”`;
}

const controls = () => [...stage().querySelectorAll(CONTROLS)].filter(isShown);

/** Where the words of this element itself are drawn. */
function textBoxes(element) {
  const boxes = [];
  for (const node of element.childNodes) {
    if (node.nodeType !== Node.TEXT_NODE || node.data.trim() === '') continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    boxes.push(...range.getClientRects());
  }
  return boxes.filter(({ width, height }) => width > 1 && height > 1);
}

const SCROLLS = ['auto', 'scroll'];
const CUTS = ['hidden', 'clip'];

/** An excerpt by design, and what waits outside of the window until the keyboard comes to it. */
function isMeantToBeCut(element, box) {
  const { position, webkitLineClamp } = getComputedStyle(element);
  return webkitLineClamp !== 'none' || (position === 'fixed' && box.bottom <= 0);
}

/** Why a box cannot be read: null when it can, if need be after scrolling. */
function lossOf(box, element) {
  if (isMeantToBeCut(element, box)) return null;
  const slack = box.height / 3;
  for (let around = element; around && around !== document.body; around = around.parentElement) {
    const style = getComputedStyle(around);
    const frame = around.getBoundingClientRect();
    const acrossOut = box.right > frame.right + 2 || box.left < frame.left - 2;
    // The box of words is higher than their letters.
    const downOut = box.bottom > frame.bottom + slack || box.top < frame.top - slack;
    if (acrossOut && CUTS.includes(style.overflowX)) return 'is cut off sideways';
    if (downOut && CUTS.includes(style.overflowY)) return 'is cut off below';
    if (acrossOut && SCROLLS.includes(style.overflowX)) return null;
    if (downOut && SCROLLS.includes(style.overflowY)) return null;
    if (style.position === 'fixed') {
      if (box.bottom > innerHeight + slack || box.top < -slack)
        return 'is fixed outside of the window';
      break;
    }
  }
  return box.right > innerWidth + 2 || box.left < -2 ? 'reaches out of the window' : null;
}

/** Words and controls that cannot be seen, and a page that has to be scrolled sideways. */
globalThis.findLost = () => {
  const lost = [];
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) lost.push(`the page is ${scrollWidth - innerWidth} px too wide`);
  for (const element of stage().querySelectorAll('*')) {
    if (!isShown(element) || isHiddenForEyes(element) || element.closest('svg')) continue;
    const boxes = textBoxes(element);
    if (element.matches(CONTROLS)) boxes.push(element.getBoundingClientRect());
    const why = boxes.map((box) => lossOf(box, element)).find((loss) => loss !== null);
    if (why) lost.push(`${nameOf(element)} ${why}`);
    const { textOverflow } = getComputedStyle(element);
    if (textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth + 1) {
      lost.push(`${nameOf(element)} ends in an ellipsis`);
    }
  }
  return [...new Set(lost)];
};

/** Words that a line can hold, and that are cut into two all the same. */
globalThis.findBrokenWords = (longest) => {
  const broken = [];
  for (const element of stage().querySelectorAll('*')) {
    if (!isShown(element) || isHiddenForEyes(element) || element.closest('svg')) continue;
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE) continue;
      for (const { 0: word, index } of node.data.matchAll(/[^\s-]+/gu)) {
        if (word.length > longest) continue;
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = [...range.getClientRects()].filter(({ width }) => width > 1);
        if (new Set(lines.map(({ top }) => Math.round(top))).size > 1) {
          broken.push(`${nameOf(element)} breaks “${word}”`);
        }
      }
    }
  }
  return [...new Set(broken)];
};

/** What stands for a control in sight, and can be pressed: of a choice, its label. */
function shownPartOf(control) {
  const isChoice = control.matches('.visually-hidden, [type=radio], [type=checkbox]');
  return isChoice ? (control.labels?.[0] ?? control) : control;
}

const hasOutline = (element) => {
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
};

/**
 * Controls that show no outline when the keyboard comes to them, or that something covers then.
 * A key must have been pressed before, or the browser takes the focus for that of a mouse.
 */
globalThis.findUnseenFocus = () => {
  const unseen = [];
  for (const control of controls()) {
    if (control.disabled || control.tabIndex < 0) continue;
    control.focus();
    if (document.activeElement !== control) continue;
    const part = shownPartOf(control);
    if (!hasOutline(part) && !hasOutline(control) && !hasOutline(control.parentElement)) {
      unseen.push(`${nameOf(control)} shows no focus`);
    }
    const box = part.getBoundingClientRect();
    const x = Math.min(innerWidth - 1, Math.max(0, box.left + box.width / 2));
    const top = Math.max(0, box.top);
    const y = (top + Math.min(innerHeight, box.bottom)) / 2;
    const there = document.elementFromPoint(x, y);
    // A message can be sent away by Escape.
    if (there?.closest('[aria-label=Messages]')) continue;
    if (!there || !(part.contains(there) || there.contains(part))) {
      unseen.push(`${nameOf(control)} is covered by ${there ? nameOf(there) : 'the window'}`);
    }
  }
  return unseen;
};

/** Links inside a sentence are as high as its line. */
function isInSentence(control) {
  if (!control.matches('a')) return false;
  if (getComputedStyle(control).display !== 'inline') return false;
  return (control.parentElement?.innerText.trim().length ?? 0) > control.innerText.trim().length;
}

/** How far from a point a press still lands on this control, in one direction. */
function reachOf(control, x, y, stepX, stepY, most) {
  const labels = [...(control.labels ?? [])];
  let reach = 0;
  while (reach < most) {
    const there = document.elementFromPoint(x + stepX * (reach + 1), y + stepY * (reach + 1));
    if (!there || ![control, ...labels].some((part) => part.contains(there))) break;
    reach += 1;
  }
  return reach;
}

/** Where a press lands on this control, its label and what is drawn around it included. */
function pressableArea(control, most) {
  const part = shownPartOf(control);
  part.scrollIntoView({ block: 'center', inline: 'center' });
  const { left, top, width, height } = part.getBoundingClientRect();
  if (width >= most && height >= most) return [width, height];
  const [x, y] = [left + width / 2, top + height / 2];
  const reach = (stepX, stepY) => reachOf(control, x, y, stepX, stepY, most);
  return [
    Math.max(width, reach(-1, 0) + reach(1, 0) + 1),
    Math.max(height, reach(0, -1) + reach(0, 1) + 1),
  ];
}

/**
 * A row that shares the width of a phone, each place of it as wide as that leaves:
 * pages. Their height and the room between them is held by the smaller measure.
 */
const IN_A_ROW = 'nav li > button';

/** Controls that a finger may miss: pressable on less than so many pixels in either direction. */
globalThis.findCramped = (least) =>
  controls()
    .filter((control) => !isInSentence(control))
    .filter((control) => !control.matches(IN_A_ROW) && !isHiddenForEyes(shownPartOf(control)))
    .map((control) => [control, ...pressableArea(control, least)])
    .filter(([, width, height]) => width < least - 0.5 || height < least - 0.5)
    .map(
      ([control, width, height]) =>
        `${nameOf(control)} can be pressed on ${Math.round(width)} × ${Math.round(height)}`,
    );

/** Controls smaller than so many pixels in either direction. */
globalThis.findSmallTargets = (least) =>
  controls()
    .filter((control) => !isInSentence(control))
    .map((control) => [control, shownPartOf(control)])
    .filter(([, part]) => !isHiddenForEyes(part))
    .map(([control, part]) => [control, part.getBoundingClientRect()])
    .filter(([, { width, height }]) => width < least || height < least)
    .map(
      ([control, { width, height }]) =>
        `${nameOf(control)} is ${Math.round(width)} × ${Math.round(height)}`,
    );
