// A PostgreSQL cluster of our own in a temporary folder, where the server's binaries are found. Ended with the process.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

function findBinaries() {
  const home = '/usr/lib/postgresql';
  const versions = existsSync(home) ? readdirSync(home).filter((name) => Number(name) >= 15) : [];
  const folders = versions.sort((a, b) => Number(b) - Number(a)).map((name) => path.join(home, name, 'bin'));
  return folders.find((folder) => existsSync(path.join(folder, 'initdb')));
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** The server refuses to run as root: there it runs as the postgres user, who must own the folder. */
function asServerUser(folder) {
  if (process.getuid?.() !== 0) return (file, args) => execFileSync(file, args, { stdio: 'pipe' });
  execFileSync('chown', ['postgres', folder]);
  return (file, args) => execFileSync('runuser', ['-u', 'postgres', '--', file, ...args], { stdio: 'pipe' });
}

/** In memory where there is plenty: what the tests write need not outlive them. */
function roomyFolder() {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 6e9 ? memory : tmpdir();
}

/** Starts a cluster and returns its address; null where no server is installed or it does not start. */
export async function startPrivateCluster() {
  const bin = findBinaries();
  if (!bin) return null;
  const folder = mkdtempSync(path.join(roomyFolder(), 'milkrun-postgres-'));
  try {
    const run = asServerUser(folder);
    const data = path.join(folder, 'data');
    const port = await freePort();
    run(path.join(bin, 'initdb'), ['-A', 'trust', '-U', 'postgres', '-D', data, '--no-sync']);
    run(path.join(bin, 'pg_ctl'), [
      '-D',
      data,
      '-w',
      '-l',
      path.join(folder, 'log'),
      '-o',
      `-p ${port} -k ${folder} -h 127.0.0.1`,
      'start',
    ]);
    process.on('exit', () => {
      const stop = [path.join(bin, 'pg_ctl'), '-D', data, '-m', 'immediate', 'stop'];
      if (process.getuid?.() === 0) spawnSync('runuser', ['-u', 'postgres', '--', ...stop]);
      else spawnSync(stop[0], stop.slice(1));
      rmSync(folder, { recursive: true, force: true });
    });
    return `postgres://postgres@127.0.0.1:${port}/postgres`;
  } catch (error) {
    console.error(`A private PostgreSQL could not be started: ${error.message}`);
    rmSync(folder, { recursive: true, force: true });
    return null;
  }
}
