// Installs the dependencies when the lock file differs from what is installed. Plain Node: it runs before any install.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Refuses a Node that is too old, with what to do. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(
    `Milkrun needs Node 20.19 or newer; this is ${process.versions.node}. Install a newer one and try again.`,
  );
  process.exit(1);
}

export function installDependencies() {
  requireNode();
  const lock = path.join(root, 'package-lock.json');
  const hash = createHash('sha256').update(readFileSync(lock)).digest('hex');
  const stamp = path.join(root, 'node_modules/.milkrun-installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  console.log('Installing dependencies (once; one to two minutes) ...');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const done = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--progress=true'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) {
    console.error('The dependencies could not be installed. Check the network and run the command again.');
    process.exit(1);
  }
  writeFileSync(stamp, hash);
}
