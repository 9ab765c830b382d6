// Compiles each runtime against what it may touch: the pure rooms know neither DOM nor Node.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');

let failed = false;
for (const runtime of ['pure', 'connectors', 'server', 'web', 'tests']) {
  const done = spawnSync(process.execPath, [tsc, '-p', `tsconfig.${runtime}.json`], { cwd: root, stdio: 'inherit' });
  if (done.status !== 0) failed = true;
}
process.exit(failed ? 1 : 0);
