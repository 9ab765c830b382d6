// The lock file must install anywhere: no download addresses, and a checksum for every package.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
const problems = [];
for (const [name, entry] of Object.entries(lock.packages)) {
  if (name === '') continue;
  if (entry.resolved) problems.push(`${name} names a download address`);
  if (!entry.integrity && !entry.link && !entry.inBundle) problems.push(`${name} has no checksum`);
}
const own = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
for (const [name, version] of Object.entries({ ...own.dependencies, ...own.devDependencies })) {
  if (!/^\d/.test(version)) problems.push(`${name} is not pinned: ${version}`);
}
for (const problem of problems) console.error(problem);
process.exit(problems.length ? 1 : 0);
