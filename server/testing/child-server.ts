import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** The program bundled for Node, which cannot read TypeScript everywhere; beside it the migrations. */
export async function bundleProgram(): Promise<string> {
  // Inside the clone, so that its packages are found.
  const folder = mkdtempSync(path.join(root, 'node_modules/.cache-program-'));
  const outfile = path.join(folder, 'main.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['server/main.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  cpSync(path.join(root, 'server/db/migrations'), path.join(folder, 'migrations'), { recursive: true });
  return outfile;
}

export type Child = {
  process: ChildProcess;
  /** Where it listens; null when it ended before. */
  address: Promise<string | null>;
  /** Its exit code; null when a signal ended it. */
  ended: Promise<number | null>;
  /** What it said on standard error so far. */
  said: () => string;
};

/** PostgreSQL servers made for tests often have fsync off. */
const trial = { MILKRUN_FSYNC_OFF: '1' };

/** `serve` in a process of its own on a free port, with no settings but these. */
export function serveIn(program: string, env: Record<string, string>): Child {
  const settings = { PATH: process.env.PATH ?? '', PORT: '0', LOG_LEVEL: 'error', MILKRUN_DEMO: '0', ...trial, ...env };
  const child = spawn(process.execPath, [program, 'serve'], { env: settings, cwd: path.dirname(program) });
  let said = '';
  let out = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const address = new Promise<string | null>((resolve) => {
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const found = /ready: (http\S+)/.exec(out)?.[1];
      if (found) resolve(found);
    });
    ended.then(() => resolve(null));
  });
  return { process: child, address, ended, said: () => said };
}
