import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../domain/errors.ts';
import { valhallaConfig } from '../engines/valhalla-config.ts';
import { enginePackage, findEnginePackage, type Manifest, readManifest, writeManifest } from '../roads-folder.ts';
import { readMap } from './map-features.ts';
import { writeTiles } from './map-tiles.ts';

export type Built = Manifest & {
  tiles: number;
  /** Why there is no engine; null when there is one. */
  missing: string | null;
};

type Wish = { extract: string; folder: string; at: Date; say: (line: string) => void };

/** Makes the files of road engine and street map from an extract. What was there before stays in use until the last step. */
export async function buildRoads({ extract, folder, at, say }: Wish): Promise<Built> {
  await mustBeFile(extract);
  await mkdir(folder, { recursive: true });
  const before = await readManifest(folder);
  const stamp = at.toISOString().replaceAll(/\D/g, '');
  say('Reading streets, water and names ...');
  const map = await readMap(extract, steps(say, 'read'));
  if (map.streets.features.length === 0) throw new AppError('invalid-input', 'There is no street in this extract.');
  say(`${map.streets.features.length} streets. Making map tiles ...`);
  const mapFolder = `map-${stamp}`;
  const tiles = await writeTiles(path.join(folder, mapFolder), map, steps(say, 'drawn'));
  const missing = await ensurePackage(folder, say);
  const engine = missing === null ? `engine-${stamp}` : null;
  if (engine) await buildEngine({ folder, tileFolder: path.join(folder, engine), extract, say });
  const manifest: Manifest = {
    version: stamp,
    builtAt: at.toISOString(),
    extract: path.basename(extract),
    engine,
    map: { file: mapFolder, bounds: map.bounds },
  };
  await writeManifest(folder, manifest);
  for (const old of [before?.engine, before?.map?.file]) {
    if (old) await rm(path.join(folder, path.basename(old)), { recursive: true, force: true });
  }
  return { ...manifest, tiles, missing };
}

async function mustBeFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new AppError('not-found', `There is no file ${file}.`);
}

/** Says every tenth. */
function steps(say: (line: string) => void, done: string): (share: number) => void {
  let last = 0;
  return (share) => {
    const tenth = Math.floor(share * 10);
    if (tenth > last) say(`  ${tenth * 10} % ${done}`);
    last = Math.max(last, tenth);
  };
}

/** Installs the engine's package beside its files where it is missing; the reason when that cannot be done. */
async function ensurePackage(folder: string, say: (line: string) => void): Promise<string | null> {
  const { platform, arch } = process;
  if (!['linux-x64', 'linux-arm64', 'darwin-arm64'].includes(`${platform}-${arch}`)) {
    return `The road engine does not run on ${platform} ${arch}. Run a Valhalla server and set VALHALLA_URL.`;
  }
  if (findEnginePackage(folder)) return null;
  const { name, version } = enginePackage;
  say(`Installing the road engine ${name} ${version} (about 280 MB) ...`);
  if (!existsSync(path.join(folder, 'package.json'))) {
    await writeFile(path.join(folder, 'package.json'), '{"private":true,"description":"The road engine of Milkrun"}\n');
  }
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const code = await run('npm', ['install', '--prefix', folder, ...quiet, `${name}@${version}`], { line: say });
  if (code === 0 && findEnginePackage(folder)) return null;
  return (
    `The road engine could not be installed. Check the connection and run this command again, or install it by hand: ` +
    `npm install --prefix ${folder} ${name}@${version}`
  );
}

type Engine = { folder: string; tileFolder: string; extract: string; say: (line: string) => void };

async function buildEngine({ folder, tileFolder, extract, say }: Engine): Promise<void> {
  const main = findEnginePackage(folder) ?? '';
  const program = path.join(path.dirname(main), process.platform, process.arch, 'valhalla_build_tiles');
  await mkdir(tileFolder, { recursive: true });
  const config = path.join(tileFolder, 'config.json');
  await writeFile(config, JSON.stringify(valhallaConfig(tileFolder, { logged: true })));
  say('Building the road engine ...');
  // It writes notes into the folder that it is started in.
  const code = await run(program, ['-c', config, path.resolve(extract)], { line: progressOf(say), cwd: tileFolder });
  if (code === 0) return;
  await rm(tileFolder, { recursive: true, force: true });
  throw new AppError('internal', 'The road engine could not be built from this extract. What it said stands above.');
}

/** Of the engine's many lines: what it begins with, and what goes wrong. */
function progressOf(say: (line: string) => void): (line: string) => void {
  return (line) => {
    const step = /^(?:\S+ \S+ )?\[(INFO|ERROR)\] (.*)$/.exec(line);
    if (step?.[1] === 'ERROR') say(`  ${step[2]}`);
    else if (/\.\.\.$/.test(step?.[2] ?? '')) say(`  ${step?.[2]}`);
  };
}

type Running = { line: (text: string) => void; cwd?: string };

function run(program: string, args: readonly string[], { line, cwd }: Running): Promise<number> {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...(cwd ? { cwd } : {}) });
    const tell = (part: Buffer): void => {
      for (const text of part.toString('utf8').split('\n')) if (text.trim()) line(text.trim());
    };
    child.stdout.on('data', tell);
    child.stderr.on('data', tell);
    child.on('error', failed);
    child.on('close', (code) => done(code ?? 1));
  });
}
