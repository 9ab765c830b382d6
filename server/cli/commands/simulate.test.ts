import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { simulateCommand } from './simulate.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-simulate-'));
const before = { ...process.env };

function listening() {
  const heard = { out: [] as string[], err: [] as string[] };
  return { heard, io: { out: (text: string) => heard.out.push(text), err: (text: string) => heard.err.push(text) } };
}

describe('milkrun simulate', () => {
  afterAll(() => {
    process.env = before;
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    [[], '--profile must be S, M, L or XL.'],
    [['--profile', 'XS'], '--profile must be S, M, L or XL.'],
    [['--profile', 'S', '--days', '0'], '--days must be a whole number'],
    [['--profile', 'S', '--seed', 'x'], '--seed must be a whole number'],
    [['--profile', 'S', '--until', '2026-02-30'], '--until must be a day'],
    [['--profile', 'S', '--colour'], "Unknown option '--colour'"],
  ])('refuses %j as wrong usage', async (args, reason) => {
    const { heard, io } = listening();
    expect(await simulateCommand(args, io)).toBe(2);
    expect(heard.err.join('\n')).toContain(reason);
    expect(heard.out).toEqual([]);
  });

  it('fills an empty database, prints one JSON document, and refuses to do so again', async () => {
    process.env = { ...before, DATABASE_URL: '', MILKRUN_DATA: folder, LOG_LEVEL: 'silent' };
    const args = ['--profile', 'S', '--days', '2', '--until', '2026-03-11', '--json'];
    const first = listening();
    expect(await simulateCommand(args, first.io)).toBe(0);
    expect(first.heard.out).toHaveLength(1);
    expect(JSON.parse(first.heard.out[0] ?? '')).toMatchObject({
      profile: 'S',
      seed: 1,
      machines: 50,
      until: '2026-03-11',
    });
    await expect(simulateCommand(args, listening().io)).rejects.toThrow('The database is not empty');
  });
});
