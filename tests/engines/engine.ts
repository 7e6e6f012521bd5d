import { until } from '../support/until.ts';

/** One window of a browser that Playwright does not drive, with only what every engine can do. */
export interface Engine {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Clicks the first visible element that this expression finds, as a person does. */
  click(find: string): Promise<void>;
  /** Types into the element, key by key. */
  type(find: string, text: string): Promise<void>;
  /** Picks a file of this machine in a file input. */
  pick(find: string, path: string): Promise<void>;
  /** The value of an expression, or of its promise; it must be JSON. */
  evaluate<T>(expression: string): Promise<T>;
  /** Errors that nothing caught, as they come. */
  problems: string[];
  close(): Promise<void>;
}

const quoted = JSON.stringify;
const SEEN = '(element) => element.checkVisibility()';
const NAME =
  '(element) => (element.getAttribute("aria-label") ?? element.innerText).replace(/\\s+/g, " ").trim()';

/** The first visible link, button, tab or option whose name holds `name`. */
export const pressable = (name: string) => `
  [...document.querySelectorAll('a, button, [role=tab], label')]
    .filter(${SEEN})
    .find((element) => (${NAME})(element).includes(${quoted(name)}))`;

/** The visible field with this label. */
export const field = (label: string) => `
  [...document.querySelectorAll('input, textarea')]
    .filter(${SEEN})
    .find((element) => [...(element.labels ?? []), element]
      .some((one) => (${NAME})(one).startsWith(${quoted(label)})))`;

const TEXT = 'document.body?.innerText.replace(/\\s+/g, " ") ?? ""';

/** Waits until the page shows this text; a failure says what it shows. */
export async function untilShown(engine: Engine, text: string, seconds = 30): Promise<void> {
  const look = async () => ((await textOf(engine)).includes(text) ? true : null);
  await until(look, { ...OFTEN, seconds }).catch(async () => {
    throw new Error(`“${text}” was not shown, but: ${await textOf(engine)}`);
  });
}

/** Waits until the expression finds an element; a failure says what the page shows. */
export async function untilFound(engine: Engine, find: string): Promise<void> {
  const look = () => engine.evaluate<boolean>(`Boolean(${find})`).catch(() => false);
  await until(async () => (await look()) || null, OFTEN).catch(async () => {
    throw new Error(`Nothing was found by ${find} in: ${await textOf(engine)}`);
  });
}

const OFTEN = { seconds: 30, everyMs: 100 };

/** What the page shows; while it loads, why that cannot be said. */
function textOf(engine: Engine): Promise<string> {
  return engine.evaluate<string>(TEXT).catch(String);
}
