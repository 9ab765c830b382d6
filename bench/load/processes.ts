import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export type Server = { address: string; pid: number; stop: () => Promise<void> };

/** A server in a process of its own, so that its processor time is its own. */
export function startServerProcess(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Server> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] });
  let out = '';
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code} before it was ready`)));
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const address = /ready: (http\S+)/.exec(out)?.[1];
      if (address) resolve({ address, pid: child.pid ?? 0, stop: () => stopped(child) });
    });
  });
}

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

/** The kernel counts processor time in hundredths of a second. */
const msPerTick = 10;

/** Processor time so far, in milliseconds, by process. */
export type Cpu = ReadonlyMap<number, number>;

/**
 * What processes spent since then; one that began meanwhile counts with all it did. Null where one has ended: what it did meanwhile went
 * with it, and whoever takes the sums of all from each other finds less than nothing.
 */
export function spentSince(before: Cpu, after: Cpu): number | null {
  if ([...before.keys()].some((pid) => !after.has(pid))) return null;
  return [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
}

/** Of a process of one thread, as the database has one for each connection: told in nanoseconds, where the system does. */
export function cpuMsOfThread(pid: number): number {
  const file = `/proc/${pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : cpuMsOf(pid);
}

/** Processor time of a process so far, in milliseconds; 0 where the system does not tell. */
export function cpuMsOf(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 0;
  // After "pid (name) " the 12th and 13th fields are user and system time.
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return msPerTick * (Number(fields[11]) + Number(fields[12]));
}

export function memoryMbOf(pid: number): number {
  const file = `/proc/${pid}/status`;
  const kb = existsSync(file) ? /VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  return Number(kb ?? 0) / 1024;
}
