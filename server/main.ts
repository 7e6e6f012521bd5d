import { forTerminal } from '../shared/visible-text.ts';
import { type Config, getConfig } from './config.ts';
import { isEscapedByDriver } from './db/errors.ts';
import { createLog, isTerminal, type Log } from './log.ts';
import { outboxPath } from './mail/outbox-folder.ts';
import { describeStartFailure } from './start-failure.ts';
import { startServer } from './start-server.ts';
import { warningsOf } from './start-warnings.ts';

/** Functions that stop each part of the server, in the order in which the parts were started. */
const ends: (() => Promise<void>)[] = [];
const stopSignal = new AbortController();
let config: Config | null = null;
let log: Log = createLog('silent');

/** In reverse order of their start; a part that fails to stop does not stop the others from ending. */
async function endAll(): Promise<void> {
  for (const end of ends.reverse()) {
    await end().catch((error: unknown) =>
      log.error({ err: error }, 'Something could not be stopped cleanly.'),
    );
  }
}

async function stopAndExit(code: number): Promise<void> {
  // A second signal ends the process at once; the next start takes over an embedded database left running.
  if (stopSignal.signal.aborted) process.exit(1);
  stopSignal.abort();
  await started;
  await endAll();
  log.info('Stopped.');
  process.exit(code);
}

function onSignal(signal: NodeJS.Signals): void {
  log.info(isTerminal ? {} : { signal }, 'Stopping …');
  void stopAndExit(0);
}

async function start(): Promise<void> {
  try {
    config = getConfig(process.env);
    log = createLog(config.logLevel);
    for (const warning of warningsOf(config)) log.warn(warning);
    const { host } = config;
    const { port } = await startServer(
      {
        config,
        log,
        signal: stopSignal.signal,
        onLost(reason) {
          log.fatal(reason.message);
          process.stderr.write(`${reason.message}\n`);
          void stopAndExit(1);
        },
      },
      (end) => ends.push(end),
    );
    const ready = `Time Capsule is ready at ${config.appUrl}`;
    if (isTerminal) log.info(`${ready}. ${whereEmailsGo(config)} Press Ctrl+C to stop.`);
    else log.info({ host, port, appUrl: config.appUrl }, ready);
  } catch (error) {
    if (stopSignal.signal.aborted) return;
    await endAll();
    // Another server took the database when ours ended: that is the reason, and has been told.
    if (stopSignal.signal.aborted) return;
    process.stderr.write(`${forTerminal(describeStartFailure(error, config))}
`);
    if (log.isLevelEnabled('debug')) process.stderr.write(`${(error as Error).stack}\n`);
    process.exit(1);
  }
}

function whereEmailsGo({ mail, dataDir }: Config): string {
  if (mail.provider === 'folder') return `Emails are saved in ${outboxPath(dataDir)}.`;
  return `Emails are sent through ${mail.provider === 'smtp' ? 'SMTP_URL' : 'Resend'}.`;
}

process.on('SIGTERM', onSignal);
process.on('SIGINT', onSignal);
process.on('uncaughtException', (error) => {
  if (isEscapedByDriver(error)) {
    log.error({ err: error }, 'A connection to the database ended.');
    return;
  }
  log.fatal({ err: error }, 'Something unexpected failed. Stopping …');
  void stopAndExit(1);
});
const started = start();
