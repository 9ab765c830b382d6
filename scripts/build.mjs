// Builds screens and server into dist/. Skips what is newer than its sources unless --force is given.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const dist = path.join(root, 'dist');
const shared = ['domain', 'contract', 'package-lock.json', 'scripts/build.mjs'];
const parts = {
  server: [...shared, 'server', 'optimizer', 'simulator', 'connectors', 'sandbox'],
  web: [...shared, 'web', 'docs/manual', 'vite.config.ts'],
};

function* filesOf(place) {
  const full = path.join(root, place);
  if (!existsSync(full)) return;
  if (statSync(full).isFile()) {
    yield full;
    return;
  }
  for (const name of readdirSync(full).sort()) yield* filesOf(path.join(place, name));
}

function hashOf(places) {
  const hash = createHash('sha256');
  for (const place of places) {
    for (const file of filesOf(place)) {
      if (/\.test\.tsx?$/.test(file)) continue;
      hash.update(path.relative(root, file)).update(readFileSync(file));
    }
  }
  return hash.digest('hex');
}

async function buildServer() {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'server/main.ts',
      'archive-worker': 'server/archive/archive-worker.ts',
      'solver-worker': 'server/solver/worker.ts',
      'roads-worker': 'server/roads/engines/roads-worker.ts',
    },
    outdir: 'dist/server',
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: true,
    logLevel: 'warning',
  });
  cpSync(path.join(root, 'server/db/migrations'), path.join(dist, 'server/migrations'), { recursive: true });
}

const compressible = /\.(js|mjs|css|html|svg|json|topojson|wasm|webmanifest|map|pbf)$/;

function compress(folder) {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) {
      compress(file);
      continue;
    }
    const content = readFileSync(file);
    if (!compressible.test(name) || content.length < 1024) continue;
    const quality = content.length > 2_000_000 ? 5 : 9;
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

async function buildWeb() {
  const { build } = await import('vite');
  await build({ configFile: path.join(root, 'vite.config.ts'), logLevel: 'warn' });
  compress(path.join(dist, 'web'));
}

const builders = { server: buildServer, web: buildWeb };

/** The parts whose sources changed since their last build. */
function changedParts() {
  return Object.entries(parts).flatMap(([name, places]) => {
    const stamp = path.join(dist, `${name}.stamp`);
    const hash = hashOf(places);
    return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash ? [] : [name];
  });
}

async function build(names) {
  mkdirSync(dist, { recursive: true });
  for (const name of names) {
    const hash = hashOf(parts[name]);
    const started = Date.now();
    console.log(`Building ${name === 'web' ? 'the screens' : 'the server'} ...`);
    await builders[name]();
    writeFileSync(path.join(dist, `${name}.stamp`), hash);
    console.log(`  done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  }
}

const self = fileURLToPath(import.meta.url);

/**
 * Builds the parts whose sources changed, in a process of its own: with it goes the memory that the builders took, which is more
 * than the server needs that runs on in this one. `output`: the number of the stream that is told.
 */
export function buildChanged({ output = 1 } = {}) {
  if (changedParts().length === 0) return;
  const { status } = spawnSync(process.execPath, [self], { stdio: ['ignore', output, 2] });
  if (status !== 0) process.exit(status ?? 1);
}

if (process.argv[1] === self) await build(process.argv.includes('--force') ? Object.keys(parts) : changedParts());
