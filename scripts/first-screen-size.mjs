// The script that a first visit to the dashboard must load, as it is sent (brotli): entry and dashboard with all they import statically.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const limitKb = 130;
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const web = path.join(root, 'dist/web');
const manifest = JSON.parse(readFileSync(path.join(web, '.vite/manifest.json'), 'utf8'));

const seen = new Set();
function follow(key) {
  if (seen.has(key)) return;
  seen.add(key);
  for (const next of manifest[key].imports ?? []) follow(next);
}

const keys = Object.keys(manifest);
const entry = keys.find((key) => manifest[key].isEntry);
const dashboard = keys.find((key) => key.endsWith('dashboard/dashboard-screen.tsx'));
follow(entry);
if (dashboard) follow(dashboard);

let bytes = 0;
for (const key of seen) {
  const { file } = manifest[key];
  if (file.endsWith('.js')) bytes += brotliCompressSync(readFileSync(path.join(web, file))).length;
}
const kb = bytes / 1000;
console.log(`${kb.toFixed(1)} kB of script in ${seen.size} files; the limit is ${limitKb} kB`);
process.exit(kb <= limitKb ? 0 : 1);
