import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const READY_MS = 60_000;
/** The kernel's unit of processor time, the same on every Linux we run on. */
const TICKS_A_SECOND = 100;

/**
 * @returns a new temporary directory, with a function that removes it. TMPDIR chooses the disk
 * that is measured.
 */
export async function temporaryDirectory() {
  const path = await mkdtemp(join(tmpdir(), 'time-capsule-bench-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/**
 * The built server on a data directory, ready for requests.
 * @param group a control group from `createMemoryGroup`, in which it and its database start
 */
export async function startServer(dataDir, environment = {}, group = null) {
  const started = performance.now();
  const command = [process.execPath, join(root, 'dist/server/main.js')];
  const [program, ...args] = group ? ['sh', '-c', ENTER_GROUP, group.path, ...command] : command;
  const child = spawn(program, args, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      // As `npm start` has it.
      MALLOC_ARENA_MAX: '2',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let timer;
  const port = await new Promise((resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the server is not ready')), READY_MS);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      const found = /"port":(\d+).*is ready/.exec(line);
      if (!found) return;
      lines.close();
      resolve(Number(found[1]));
    });
  }).finally(() => clearTimeout(timer));
  child.removeAllListeners('exit');
  // Later log lines are discarded, because reading them would cost processor time.
  child.stdout.resume();
  const url = `http://127.0.0.1:${port}`;
  return {
    port,
    url,
    pid: child.pid,
    /** False once it has ended, by itself or killed by the kernel for its memory. */
    isRunning: () => child.exitCode === null && child.signalCode === null,
    readyMs: performance.now() - started,
    stop: () => stop(child),
    kill: () => stop(child, 'SIGKILL'),
  };
}

const ENTER_GROUP = 'echo $$ > "$0/cgroup.procs" && exec "$@"';

/** Both versions of control groups: where they lie, and the file that takes the limit. */
const MEMORY_LIMITS = [
  ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
  ['/sys/fs/cgroup', 'memory.max'],
];

/**
 * A control group whose processes together have this much memory, page cache included, as those of
 * a container have. @returns null where the machine does not allow it
 */
export function createMemoryGroup(megabytes) {
  for (const [parent, limit] of MEMORY_LIMITS) {
    const path = join(parent, `time-capsule-${process.pid}`);
    try {
      mkdirSync(path);
      if (existsSync(join(path, limit))) {
        writeFileSync(join(path, limit), String(megabytes * 2 ** 20));
        return { path, remove: () => rmdirSync(path) };
      }
      rmdirSync(path);
    } catch {
      // Not ours to write.
    }
  }
  return null;
}

/** Starts a server of `bench/floors/` in its own process. */
export const startFloor = (name, options) => startBeside(join('floors', name), options, 'inherit');

/** Starts a server of `bench/peers/` in its own process. What it prints is its own affair. */
export const startPeer = (name, options) => startBeside(join('peers', name), options, 'ignore');

async function startBeside(path, options, output) {
  const stdio = ['ignore', output, 'inherit', 'ipc'];
  const child = fork(join(root, 'bench', path), [JSON.stringify(options)], { stdio });
  const exited = once(child, 'exit').then(() => Promise.reject(new Error(`${path} ended`)));
  const [{ port }] = await Promise.race([once(child, 'message'), exited]);
  exited.catch(() => {});
  return { port, pid: child.pid, stop: () => stop(child) };
}

/** Ends a process, which may have ended already. */
export async function stop(child, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

/** Resident memory in megabytes, now and at its peak since the last `resetPeak`. */
export function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

/** What `work` returns, and by how many megabytes the process has grown at its peak meanwhile. */
export async function watchMemory(pid, work) {
  const before = memoryOf(pid).now;
  // Linux resets the peak of resident memory (VmHWM) on writing 5.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const result = await work();
  return { result, megabytes: Math.max(0, memoryOf(pid).peak - before) };
}

/** The processor time that these processes, and those of their children that have ended, have taken. */
export function cpuSeconds(pids) {
  const ticks = pids.map((pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it may hold spaces. Then utime, stime, cutime and cstime are at 11 to 14.
    const figures = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return figures.slice(11, 15).reduce((sum, figure) => sum + Number(figure), 0);
  });
  return ticks.reduce((sum, figure) => sum + figure, 0) / TICKS_A_SECOND;
}
