import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { findWebKit } from '../../scripts/find/find-engines.mjs';
import { freePort } from '../support/server.ts';
import { until } from '../support/until.ts';
import { type Engine, untilFound } from './engine.ts';

/** The key under which WebDriver hands out elements. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** WebDriver does not tell of errors, so each page notes its own. */
const RECORD = `if (!globalThis.uncaught) {
  globalThis.uncaught = [];
  addEventListener('error', ({ message }) => uncaught.push(message));
  addEventListener('unhandledrejection', ({ reason }) => uncaught.push(String(reason)));
}`;

/**
 * Brings the element into view, and says whether it then rests for two frames. The driver itself leaves
 * out of sight what lies a pixel below the window, and tells of no press that went beside its target.
 */
const rests = (find: string) => `(async () => {
  const element = ${find.trim()};
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const place = () => JSON.stringify(element.getBoundingClientRect());
  const before = place();
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  return element.isConnected && before === place();
})()`;

/** WebKitGTK's MiniBrowser on a display that nobody sees, driven by W3C WebDriver. */
export async function startWebKit(): Promise<Engine> {
  const programs = findWebKit();
  const display = spawn(programs.display, ['-displayfd', '3', '-screen', '0', '1280x1024x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = await once(display.stdio[3] as NodeJS.ReadableStream, 'data');
  const port = await freePort();
  const driver = spawn(programs.driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${String(number).trim()}`, LANG: 'C.UTF-8' },
  });
  const root = `http://127.0.0.1:${port}`;
  await until(() =>
    fetch(`${root}/status`).then(
      () => true as const,
      () => null,
    ),
  );
  const { sessionId } = await command<{ sessionId: string }>(`${root}/session`, {
    capabilities: {
      alwaysMatch: {
        acceptInsecureCerts: true,
        'webkitgtk:browserOptions': { binary: programs.browser, args: ['--automation'] },
      },
    },
  });
  const session = `${root}/session/${sessionId}`;
  const problems: string[] = [];

  /** Before a page goes away, what it has noted is read. */
  async function collectProblems(): Promise<void> {
    const noted = await run<string[]>('return (globalThis.uncaught ?? []).splice(0)');
    problems.push(...noted);
  }
  async function leave(path: string, body: object): Promise<void> {
    await collectProblems();
    await command(`${session}/${path}`, body);
    await run(RECORD);
  }
  function run<T>(script: string): Promise<T> {
    return command<T>(`${session}/execute/sync`, { script, args: [] });
  }
  /** Once the element rests, and again where it has just been drawn anew, as Playwright does. */
  async function act(find: string, action: string, body: object): Promise<void> {
    await untilFound(engine, find);
    let failure = 'it is gone';
    const attempt = async () => {
      if (!(await engine.evaluate<boolean>(rests(find)))) {
        failure = 'it moves';
        return null;
      }
      const element = await run<Record<string, string> | null>(`return ${find.trim()}`);
      if (!element) return null;
      await command(`${session}/element/${element[ELEMENT]}/${action}`, body);
      return true;
    };
    const note = (error: unknown) => {
      failure = String(error);
      return null;
    };
    await until(() => attempt().catch(note), { everyMs: 100 }).catch(() => {
      throw new Error(`${action} of ${find}: ${failure}`);
    });
  }
  // Debian's default window is smaller than a page.
  await command(`${session}/window/rect`, { width: 1280, height: 1024 });

  const engine: Engine = {
    problems,
    goto: (url) => leave('url', { url }),
    reload: () => leave('refresh', {}),
    click: (find) => act(find, 'click', {}),
    type: (find, text) => act(find, 'value', { text }),
    pick: (find, path) => act(find, 'value', { text: path }),
    evaluate: (expression) =>
      command(`${session}/execute/async`, {
        script: `const done = arguments[arguments.length - 1];
          Promise.resolve().then(() => (${expression})).then((value) => done(value));`,
        args: [],
      }),
    async close() {
      await collectProblems();
      await fetch(session, { method: 'DELETE' });
      await Promise.all([ended(driver), ended(display)]);
    },
  };
  return engine;
}

async function command<T>(url: string, body: object): Promise<T> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}
