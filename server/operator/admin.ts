import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { forTerminal } from '../../shared/visible-text.ts';
import { type Config, getConfig } from '../config.ts';
import type { Database } from '../db/open.ts';
import { StartError } from '../start-error.ts';
import { describeStartFailure } from '../start-failure.ts';
import { accountCommands } from './commands/accounts.ts';
import { type Asked, type Commands, OPTIONS, type Row, UsageError } from './commands/command.ts';
import { doorCommands } from './commands/doors.ts';
import { emailCommands } from './commands/email.ts';
import { instanceCommands } from './commands/instance.ts';
import { reportCommands } from './commands/reports.ts';
import { withOperatorDatabase } from './operator-database.ts';

/** Opens the database of a server. */
type Open = <Result>(
  config: Config,
  work: (opened: { db: Database }) => Promise<Result>,
) => Promise<Result>;

/** Puts a question to the operator. Null where nobody is there to answer, as in a script. */
type Ask = (question: string) => Promise<string | null>;

/** As they are listed: what most operators look for comes first. */
const GROUPS: Record<string, Commands> = {
  'This server': instanceCommands,
  People: { ...accountCommands, ...doorCommands },
  Reports: reportCommands,
  Email: emailCommands,
};
const COMMANDS: Commands = Object.assign({}, ...Object.values(GROUPS));

/** An instant as programs write it, of which people read day and minute, in UTC. */
const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z/;

interface Outcome {
  /** False also for a result that is not good. */
  ok: boolean;
  /** The lines say why there is no result. */
  isRefusal?: true;
  lines: string[];
}

/**
 * The operator's command `npm run admin`: what can be asked of an instance, and done for people
 * who need help, beside a running server or without one. It opens no capsule. @returns the lines
 * to print
 */
async function runAdmin(
  environment: Record<string, string | undefined>,
  args: string[],
  open: Open = withOperatorDatabase,
  ask: Ask = askAtTerminal,
): Promise<Outcome> {
  const named = args.find((arg) => Object.hasOwn(COMMANDS, arg)) ?? '';
  try {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
    const [name = '', ...rest] = positionals;
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command && values.help) return { ok: true, lines: [usageOf(name), command.does] };
    if (values.help || name === '' || name === 'help') return { ok: true, lines: helpLines() };
    if (!command) return refusal(`There is no command "${name}".`, insteadOf(name));
    const what = rest.join(' ');
    const config = getConfig(environment);
    const withDatabase: Asked['withDatabase'] = (work) => open(config, ({ db }) => work(db));
    const agree = (question: string) => agreeTo(question, values.yes ? async () => 'yes' : ask);
    const asked = { command: name, config, withDatabase, what, agree, options: values };
    const { rows, blocks, none = '', ok = true } = await command.run(asked);
    if (values.json) return { ok, lines: [JSON.stringify(rows, null, 2)] };
    return { ok, lines: rows.length === 0 ? [none] : (blocks ?? plain(rows)) };
  } catch (error) {
    const isTyped = error instanceof UsageError || isParseError(error);
    const usage = named !== '' && isTyped ? [`Usage: ${usageOf(named)}`] : [];
    return refusal(describeStartFailure(error, null), ...usage);
  }
}

export async function admin(...given: Parameters<typeof runAdmin>): Promise<Outcome> {
  const said = await runAdmin(...given);
  return { ...said, lines: said.lines.map(forTerminal) };
}

/** What Node's parser of arguments throws. */
function isParseError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^ERR_PARSE_ARGS_/.test(String(error.code));
}

const usageOf = (name: string) =>
  `npm run admin -- ${name} ${COMMANDS[name]?.takes ?? ''}`.trimEnd();

/** Words that are mistyped mostly begin as they should. */
function insteadOf(name: string): string {
  const alike = Object.keys(COMMANDS).filter((one) => one.startsWith(name.slice(0, 3)));
  return alike.length > 0 ? `Did you mean ${alike.join(' or ')}?` : 'See all: npm run admin';
}

/** @throws StartError unless the answer is yes */
async function agreeTo(question: string, ask: Ask): Promise<void> {
  // Ctrl+C rejects the question.
  const answer = await ask(`${question}\nType "yes" to go on: `).catch(() => 'no');
  if (answer === null) {
    throw new StartError(`${question} Nothing was done yet: add --yes to do it.`);
  }
  if (answer.trim().toLowerCase() !== 'yes') throw new StartError('Nothing was done.');
}

async function askAtTerminal(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  // On standard error: programs read results from standard output.
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(forTerminal(question));
  } finally {
    terminal.close();
  }
}

function refusal(...lines: string[]): Outcome {
  return { ok: false, isRefusal: true, lines };
}

function helpLines(): string[] {
  const lines = Object.entries(GROUPS).flatMap(([group, commands]) => [
    '',
    group,
    ...Object.entries(commands).flatMap(([name, { takes, does }]) => [
      `  ${name} ${takes}`.trimEnd(),
      `      ${does}`,
    ]),
  ]);
  const usage = [
    'npm run admin -- <command> [--json] [--yes]',
    '',
    '--json is for programs.',
    '--yes answers the question that some commands ask before they change something.',
  ];
  return [...usage, ...lines];
}

/** Columns of one width, with names and times as people read them, and without the empty ones. */
function plain(rows: Row[]): string[] {
  const isUsed = (name: string) => rows.some((row) => row[name] !== null);
  const columns = Object.keys(rows[0] ?? {}).filter(isUsed);
  const table = [
    columns.map((name) =>
      name.replaceAll(/[A-Z](?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`),
    ),
    ...rows.map((row) => columns.map((name) => String(row[name] ?? '–').replace(INSTANT, '$1 $2'))),
  ];
  const widths = columns.map((_, index) =>
    table.reduce((width, row) => Math.max(width, row[index]?.length ?? 0), 0),
  );
  return table.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
