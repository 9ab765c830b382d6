import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const home = '/usr/lib/postgresql';

/** The folder of PostgreSQL's server programs; null where none of 15 or newer is installed, or nobody may run it. */
export function serverPrograms(): string | null {
  const versions = existsSync(home) ? readdirSync(home).filter((name) => Number(name) >= 15) : [];
  const folders = versions.sort((a, b) => Number(b) - Number(a)).map((name) => path.join(home, name, 'bin'));
  const found = folders.find((folder) => existsSync(path.join(folder, 'initdb')));
  const mayRun = !isRoot || spawnSync('id', ['postgres']).status === 0;
  return found && mayRun ? found : null;
}

const isRoot = process.getuid?.() === 0;

/** PostgreSQL refuses to run as root: there it runs as the user postgres. */
function run(file: string, args: readonly string[]): void {
  if (isRoot) execFileSync('runuser', ['-u', 'postgres', '--', file, ...args], { stdio: 'ignore' });
  else execFileSync(file, [...args], { stdio: 'ignore' });
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

export type Cluster = {
  port: number;
  url: string;
  start: () => void;
  /** Ends it as a crash would: nothing is written out. */
  crash: () => void;
  /** Neither answers nor breaks a connection, as a machine that hangs. */
  freeze: () => void;
  thaw: () => void;
  /** Makes a standby the primary. */
  promote: () => void;
  remove: () => void;
};

type Options = {
  /** Settings of the server, e.g. `synchronous_standby_names=*`. */
  settings?: readonly string[];
  /** Begins as a copy that follows this one. */
  follows?: Cluster;
  /** Where its folder is made; absent: among the temporary ones. */
  within?: string;
};

/** A PostgreSQL of the test's own, on a free port of this machine, in a temporary folder. */
export async function startCluster(
  programs: string,
  { settings = [], follows, within = tmpdir() }: Options = {},
): Promise<Cluster> {
  const folder = mkdtempSync(path.join(within, 'milkrun-cluster-'));
  if (isRoot) execFileSync('chown', ['postgres', folder]);
  const data = path.join(folder, 'data');
  const port = await freePort();
  const program = (name: string): string => path.join(programs, name);
  if (follows) {
    const from = ['-h', '127.0.0.1', '-p', String(follows.port), '-U', 'postgres'];
    run(program('pg_basebackup'), [...from, '-D', data, '-R', '-X', 'stream', '-c', 'fast']);
  } else run(program('initdb'), ['-A', 'trust', '-U', 'postgres', '-D', data, '--no-sync']);
  const options = [`-p ${port}`, `-k ${folder}`, '-h 127.0.0.1', ...settings.map((setting) => `-c ${setting}`)];
  const start = (): void =>
    run(program('pg_ctl'), ['-D', data, '-w', '-l', path.join(folder, 'log'), '-o', options.join(' '), 'start']);
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of processesOf(data)) process.kill(pid, name);
  };
  start();
  const crash = (): void => {
    signal('SIGCONT');
    run(program('pg_ctl'), ['-D', data, '-m', 'immediate', 'stop']);
  };
  return {
    ...{ port, url: `postgres://postgres@127.0.0.1:${port}/postgres`, start, crash },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    promote: () => run(program('pg_ctl'), ['-D', data, '-w', 'promote']),
    remove: () => {
      try {
        crash();
      } catch {
        // It is down already.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The server's first process and all it started. */
function processesOf(data: string): number[] {
  const file = path.join(data, 'postmaster.pid');
  if (!existsSync(file)) return [];
  const first = Number(readFileSync(file, 'utf8').split('\n', 1)[0]);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === first);
  return [first, ...children.map(Number)];
}

function parentOf(pid: string): number | null {
  try {
    // pid (name) state parent: the name may hold spaces.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return Number(parent);
  } catch {
    // It ended meanwhile.
    return null;
  }
}
