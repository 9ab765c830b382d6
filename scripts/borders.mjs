// Checks who imports whom, and that the checker really saw the modules: a parser that fails quietly finds no violations.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const rooms = [
  'domain',
  'contract',
  'optimizer',
  'connectors',
  'server',
  'web',
  'simulator',
  'sandbox',
  'bench',
].filter((room) => existsSync(path.join(root, room)));

function countSources(folder) {
  let count = 0;
  for (const name of readdirSync(folder)) {
    const full = path.join(folder, name);
    if (statSync(full).isDirectory()) count += countSources(full);
    else if (/\.tsx?$/.test(name)) count += 1;
  }
  return count;
}

const cruise = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const done = spawnSync(
  process.execPath,
  [cruise, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...rooms],
  {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 200_000_000,
  },
);
if (!done.stdout) {
  console.error(done.stderr);
  process.exit(1);
}
const { summary, modules } = JSON.parse(done.stdout);
for (const { rule, from, to, cycle } of summary.violations) {
  console.error(
    `${rule.name}: ${from} -> ${to}${cycle ? ` (${cycle.map((one) => one.name ?? one).join(' -> ')})` : ''}`,
  );
}
const seen = modules.filter((module) => rooms.some((room) => module.source.startsWith(`${room}/`))).length;
const expected = rooms.reduce((sum, room) => sum + countSources(path.join(root, room)), 0);
console.log(`${seen} modules seen, ${expected} sources there, ${summary.violations.length} violations`);
process.exit(summary.error > 0 || seen < expected ? 1 : 0);
