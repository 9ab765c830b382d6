import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { fillDataFolder } from '../../testing/databases/embedded-template.ts';
import { runCommand } from '../commands.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-need-'));

beforeAll(async () => {
  await fillDataFolder(folder);
  vi.stubEnv('MILKRUN_DATA', folder);
  vi.stubEnv('DATABASE_URL', '');
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

async function run(line: string) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommand(line.split(' '), { out: (text) => out.push(text), err: (text) => err.push(text) });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

it('measures and makes anew, in a sentence or as one JSON document', async () => {
  expect(await run('need measure')).toMatchObject({ code: 0, out: 'There are no past counts to compare with yet.' });
  const measured = await run('need measure --json');
  expect([measured.code, JSON.parse(measured.out)]).toEqual([0, { counts: 0, mae: null, bias: null, naive: null }]);
  expect(await run('need rebuild')).toMatchObject({ code: 0, out: 'The daily sums are made anew.' });
  expect(JSON.parse((await run('need rebuild --json')).out)).toEqual({ rebuilt: true });
});

it.each(['need', 'need guess', 'need measure rebuild', 'need measure --frobnicate'])(
  '%s is wrong usage',
  async (line) => {
    expect(await run(line)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Usage: milkrun need') });
  },
);
