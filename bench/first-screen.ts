import { spawnSync } from 'node:child_process';
import type { Figures } from './baseline.ts';

/** Script that a first visit loads, compressed; walked by the same program that holds the build to its limit. */
export function firstScreen(say: (line: string) => void): Figures {
  const { stdout } = spawnSync(process.execPath, ['scripts/first-screen-size.mjs'], { encoding: 'utf8' });
  say(`First screen\n  ${stdout.trim()}`);
  return { 'first screen kB': Number(/^([\d.]+) kB/.exec(stdout)?.[1] ?? Number.NaN) };
}
