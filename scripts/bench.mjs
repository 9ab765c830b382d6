// npm run bench [-- --only NAME]: runs two things in turn and prints ratios; absolute numbers of a shared machine mean little.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDependencies } from './install.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
installDependencies();
const { buildChanged } = await import('./build.mjs');
buildChanged();
const { build } = await import('esbuild');
await build({
  absWorkingDir: root,
  entryPoints: { bench: 'bench/main.ts', bare: 'bench/load/bare-server.ts' },
  outdir: 'dist/server',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
});
const args = process.argv.slice(2);
const profile = args[args.indexOf('--profile') + 1];
if (args.includes('--profile')) {
  const { url, small } = await filledPostgres(profile);
  args.push('--database', url, ...(small ? ['--small', small] : []));
}
const done = spawnSync(process.execPath, ['dist/server/bench.js', ...args], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(done.status ?? 1);

/** A PostgreSQL of our own with a synthetic operator of this size, and for the times of the office a small one beside it. */
async function filledPostgres(size) {
  const { startPrivateCluster } = await import('./private-postgres.mjs');
  const url = await startPrivateCluster();
  if (!url) throw new Error('--profile needs the server programs of PostgreSQL 15 or newer on this machine.');
  fill(url, size);
  if (!args.includes('office-times')) return { url };
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create database small');
  await client.end();
  const small = new URL(url);
  small.pathname = '/small';
  fill(small.href, 'S');
  return { url, small: small.href };
}

function fill(url, size) {
  const env = { ...process.env, DATABASE_URL: url };
  const filled = spawnSync(process.execPath, ['dist/server/main.js', 'simulate', '--profile', size], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  if (filled.status !== 0) throw new Error(`The operator of profile ${size} could not be made.`);
}
