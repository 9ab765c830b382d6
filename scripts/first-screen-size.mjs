// The script that a first visit to the dashboard must load, as it is sent (brotli): entry and dashboard with all they import statically.
// Then what each further part adds to that when it is opened; only the map and the charts may be larger.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const limitKb = 130;
/** Each file is asked for and compressed by itself. */
const limitFiles = 10;
const partLimitKb = 60;
const mayBeLarger = /^(map|ui\/charts)\//;
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const web = path.join(root, 'dist/web');
const manifest = JSON.parse(readFileSync(path.join(web, '.vite/manifest.json'), 'utf8'));

/** A part with all it imports statically. */
function withImports(key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key].imports ?? []) withImports(next, seen);
  return seen;
}

const sizes = new Map();
function kbOf(keys) {
  let bytes = 0;
  for (const key of keys) {
    const { file } = manifest[key];
    if (!file.endsWith('.js')) continue;
    if (!sizes.has(file)) sizes.set(file, brotliCompressSync(readFileSync(path.join(web, file))).length);
    bytes += sizes.get(file);
  }
  return bytes / 1000;
}

const keys = Object.keys(manifest);
const first = withImports(keys.find((key) => manifest[key].isEntry));
const dashboard = keys.find((key) => key.endsWith('dashboard/dashboard-screen.tsx'));
if (dashboard) withImports(dashboard, first);

const parts = keys
  .filter((key) => manifest[key].isDynamicEntry && !first.has(key) && !mayBeLarger.test(key))
  .map((key) => ({ key, kb: kbOf([...withImports(key)].filter((part) => !first.has(part))) }))
  .sort((a, b) => b.kb - a.kb);
const tooLarge = parts.filter(({ kb }) => kb > partLimitKb);

const kb = kbOf(first);
console.log(
  `${kb.toFixed(1)} kB of script in ${first.size} files; the limits are ${limitKb} kB and ${limitFiles} files`,
);
const [largest] = parts;
if (largest)
  console.log(`Largest further part: ${largest.kb.toFixed(1)} kB, ${largest.key}; the limit is ${partLimitKb} kB`);
for (const part of tooLarge) console.log(`Too large: ${part.kb.toFixed(1)} kB, ${part.key}`);
process.exit(kb <= limitKb && first.size <= limitFiles && tooLarge.length === 0 ? 0 : 1);
