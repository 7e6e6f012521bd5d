import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findOrInstall, findProgram, NotAvailable } from '../find/find-program.mjs';

const MISSING =
  'Postfix and Dovecot were not found. Install them (Debian: apt-get install postfix dovecot-imapd).';
/** An owner of the mailbox who may do nothing else. */
const NOBODY = 65_534;

/**
 * Postfix, which takes email for anybody and hands it on to a server at `nextPort`, and Dovecot with
 * the one mailbox of `box.test`, to which Postfix returns what it can't deliver. Both listen on this
 * machine only, and their files are in a folder of their own.
 * @param {{ nextPort: number }} options
 * @throws NotAvailable where they can't be had, or not started without root
 */
export async function startMailServers({ nextPort }) {
  if (process.getuid?.() !== 0) throw new NotAvailable('Postfix can only be started by root.');
  const find = () => {
    const postfix = findProgram(['postfix', '/usr/sbin/postfix']);
    const dovecot = findProgram(['dovecot', '/usr/sbin/dovecot']);
    return postfix && dovecot ? { postfix, dovecot } : null;
  };
  const programs = findOrInstall(find, ['postfix', 'dovecot-imapd'], MISSING);
  const folder = mkdtempSync(join(tmpdir(), 'mail-servers-'));
  execFileSync('chmod', ['755', folder]);
  const ends = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const end of ends.reverse()) await end();
  };
  const mail = join(folder, 'mail');
  mkdirSync(mail);
  chownSync(mail, NOBODY, NOBODY);
  try {
    const smtpPort = await freePort();
    ends.push(startPostfix(programs.postfix, folder, { smtpPort, nextPort, mail }));
    const imapPort = await freePort();
    ends.push(startDovecot(programs.dovecot, folder, { imapPort, mail }));
    await Promise.all([greets(smtpPort), greets(imapPort)]);
    return {
      smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
      mailboxUrl: `imap://capsules%40box.test:secret@127.0.0.1:${imapPort}/INBOX`,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function startPostfix(program, folder, { smtpPort, nextPort, mail }) {
  const config = join(folder, 'postfix');
  const [queue, data] = [join(folder, 'queue'), join(folder, 'postfix-data')];
  for (const one of [config, queue, data]) mkdirSync(one);
  execFileSync('chown', ['postfix', data]);
  writeFileSync(
    join(config, 'main.cf'),
    `compatibility_level = 3.6
queue_directory = ${queue}
data_directory = ${data}
maillog_file = ${join(folder, 'postfix.log')}
maillog_file_prefixes = ${folder}
myhostname = mail.box.test
mydestination =
inet_interfaces = loopback-only
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
alias_maps =
relayhost = [127.0.0.1]:${nextPort}
minimal_backoff_time = 5s
queue_run_delay = 5s
virtual_mailbox_domains = box.test
virtual_mailbox_base = ${mail}
virtual_mailbox_maps = static:capsules/
virtual_uid_maps = static:${NOBODY}
virtual_gid_maps = static:${NOBODY}
`,
  );
  const services = [
    `127.0.0.1:${smtpPort} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'smtp unix - - n - - smtp',
    'relay unix - - n - - smtp',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'virtual unix - n n - - virtual',
    'proxymap unix - - n - - proxymap',
    'anvil unix - - n - 1 anvil',
    'postlog unix-dgram n - n - 1 postlogd',
  ];
  writeFileSync(join(config, 'master.cf'), `${services.join('\n')}\n`);
  const run = (command) => execFileSync(program, ['-c', config, command], { stdio: 'ignore' });
  run('start');
  return () => run('stop');
}

function startDovecot(program, folder, { imapPort, mail }) {
  const state = join(folder, 'dovecot');
  mkdirSync(state);
  const config = join(folder, 'dovecot.conf');
  writeFileSync(
    config,
    `protocols = imap
listen = 127.0.0.1
base_dir = ${state}
log_path = ${join(folder, 'dovecot.log')}
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${join(mail, 'capsules')}
first_valid_uid = ${NOBODY}
first_valid_gid = ${NOBODY}
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=${NOBODY} gid=${NOBODY} home=${mail}
}
service imap-login {
  inet_listener imap {
    port = ${imapPort}
  }
  inet_listener imaps {
    port = 0
  }
}
`,
  );
  const child = spawn(program, ['-F', '-c', config], { stdio: 'inherit' });
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return stop;
}

/** Resolves when a server at this port has said its first line. */
async function greets(port) {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const socket = connect(port, '127.0.0.1');
    const isGreeted = await new Promise((resolve) => {
      socket.once('data', () => resolve(true));
      for (const event of ['error', 'close']) socket.once(event, () => resolve(false));
    });
    socket.destroy();
    if (isGreeted) return;
    await pause(100);
  }
  throw new Error(`No server listens at ${port}.`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}
