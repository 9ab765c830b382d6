// What the product is made of, and what must not slip into it: a list of every part (SBOM), no secret in the tree, a lock
// file that was not tampered with, and migrations that lock no table for long. All at once; prints what each found.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const bin = (name) => path.join(root, 'node_modules/.bin', name);
const sbom = path.join(root, 'test-results/sbom.cdx.json');

/** Migrations before this one were written by other rules and have run everywhere. */
const firstLinted = 110;
/** Sizes and keys that are meant: the product's tables use integers and bounded texts throughout. */
const meant = [
  'prefer-text-field',
  'prefer-bigint-over-int',
  'prefer-bigint-over-smallint',
  'prefer-identity',
  'prefer-robust-stmts',
];
/** On a table made in the same file, on one without rows yet, or under the lock that every migration takes. */
const underOurLock = ['require-concurrent-index-creation', 'require-timeout-settings', 'transaction-nesting'];

const folder = path.join(root, 'server/db/migrations');
const migrations = readdirSync(folder)
  .filter((name) => name.endsWith('.sql') && Number(name.slice(0, 4)) >= firstLinted)
  .map((name) => path.join('server/db/migrations', name));

const checks = [
  ['secrets in the tree', 'secretlint', ['--maskSecrets', '**/*']],
  [
    'lock file',
    'lockfile-lint',
    ['--path', 'package-lock.json', '--type', 'npm', '--validate-https', '--validate-integrity'],
  ],
  ['migrations', 'squawk', ['--pg-version=15', `--exclude=${[...meant, ...underOurLock].join(',')}`, ...migrations]],
  [
    'list of parts',
    'cyclonedx-npm',
    ['--omit', 'dev', '--output-reproducible', '--output-file', sbom, '--ignore-npm-errors'],
  ],
];

function run([title, name, args]) {
  return new Promise((resolve) => {
    const started = Date.now();
    const child = spawn(bin(name), args, { cwd: root, env: { ...process.env, NO_COLOR: '1' } });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    child.on('close', (code) => {
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'good' : 'FAILED'}: ${title} (${seconds} s)${code === 0 ? '' : `\n${text}`}`);
      resolve(code === 0);
    });
  });
}

mkdirSync(path.dirname(sbom), { recursive: true });
const outcomes = await Promise.all(checks.map(run));
if (outcomes[3]) {
  const { components } = JSON.parse(readFileSync(sbom, 'utf8'));
  const own = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const missing = Object.keys(own.dependencies).filter(
    (name) => !components.some((one) => [one.group, one.name].filter(Boolean).join('/') === name),
  );
  console.log(`${components.length} parts, in ${path.relative(root, sbom)}`);
  if (missing.length > 0) {
    console.error(`not in the list of parts: ${missing.join(', ')}`);
    outcomes.push(false);
  }
}
process.exit(outcomes.every(Boolean) ? 0 : 1);
