// Compiles each runtime against what it may touch: the pure rooms know neither DOM nor Node. Two at a time, the largest first.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
const runtimes = ['tests', 'server', 'web', 'connectors', 'pure'];
let failed = false;

const compile = (runtime) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [tsc, '-p', `tsconfig.${runtime}.json`], { cwd: root });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    child.on('close', (code) => {
      if (code !== 0) failed = true;
      process.stdout.write(text);
      resolve();
    });
  });

async function compileInTurn() {
  for (let runtime = runtimes.shift(); runtime; runtime = runtimes.shift()) await compile(runtime);
}

await Promise.all([compileInTurn(), compileInTurn()]);
process.exitCode = failed ? 1 : 0;
