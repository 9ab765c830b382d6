// npm run bench [-- --only NAME]: runs two things in turn and prints ratios; absolute numbers of a shared machine mean little.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDependencies } from './install.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
installDependencies();
const { buildChanged } = await import('./build.mjs');
await buildChanged({ say: (line) => console.log(line) });
const { build } = await import('esbuild');
await build({
  absWorkingDir: root,
  entryPoints: ['bench/main.ts'],
  outfile: 'dist/server/bench.js',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
});
const done = spawnSync(process.execPath, ['dist/server/bench.js', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(done.status ?? 1);
