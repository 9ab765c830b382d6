import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FullConfig } from '@playwright/test';

export type DemoServer = { address: string; stop: () => Promise<void>; kill: () => void };

/** The built server with a demo operator of its own in a temporary folder, on a free port. */
export async function startDemoServer(folder?: string): Promise<DemoServer> {
  const data = folder ?? mkdtempSync(path.join(tmpdir(), 'milkrun-e2e-'));
  const child = spawn(process.execPath, ['dist/server/main.js', 'serve'], {
    cwd: path.join(import.meta.dirname, '..'),
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      MILKRUN_DATA: data,
      MILKRUN_DEMO: '1',
      LOG_LEVEL: 'warn',
      DATABASE_URL: '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await readyAddress(child);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    address,
    kill: () => void child.kill('SIGKILL'),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      if (!folder) rmSync(data, { recursive: true, force: true });
    },
  };
}

function readyAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += String(chunk);
      const found = /Milkrun is ready: (\S+)/.exec(text);
      if (found?.[1]) resolve(found[1]);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it was ready`)));
  });
}

/**
 * A server for each worker: journeys that run side by side do not meet in one operator's books. The demo operator is made
 * once, for each of them is its copy. What a journey writes to the disk goes with the last of them.
 */
export default async function startForAll({ workers }: FullConfig): Promise<() => Promise<void>> {
  const own = mkdtempSync(path.join(tmpdir(), 'milkrun-journeys-'));
  process.env.MILKRUN_FOLDERS = own;
  // A browser that was killed may take a moment to let go.
  const clear = (): void => rmSync(own, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  // A server that runs already may be named, for trying a journey again and again.
  if (process.env.MILKRUN_ADDRESS) return async () => clear();
  const made = path.join(own, 'made');
  await (await startDemoServer(made)).stop();
  const folders = Array.from({ length: workers }, (_, n) => `${made}-${n}`);
  for (const folder of folders) cpSync(made, folder, { recursive: true });
  const servers = await Promise.all(folders.map((folder) => startDemoServer(folder)));
  process.env.MILKRUN_ADDRESS = servers.map((server) => server.address).join(' ');
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
    clear();
  };
}
