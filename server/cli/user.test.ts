import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runCommand } from './commands.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-user-'));

beforeAll(() => {
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

it('adds people and lists them, as text and as one JSON document', async () => {
  const added = await run(
    'user add Ann@example.test --role field_worker --first-name Ann --phone 4155550123 --route 101 --json',
  );
  const ann = { email: 'Ann@example.test', role: 'field_worker', phoneNumber: '+14155550123', routeDesignation: '101' };
  expect(added).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(added.out)).toMatchObject(ann);
  expect(await run('user add boss@example.test --role admin')).toMatchObject({
    code: 0,
    out: 'boss@example.test was added as Super Admin.',
  });
  expect(JSON.parse((await run('user list --json')).out)).toMatchObject([ann, { email: 'boss@example.test' }]);
  expect((await run('user list')).out.split('\n')[0]).toBe('Ann@example.test\tAnn\tField Operator\t101\tactive');
  const again = await run('user add ann@EXAMPLE.test --role admin --json');
  expect(again).toEqual({ code: 1, out: '', err: 'A person with this e-mail address exists already.' });
});

it('says what is wrong with its options before it opens the database', async () => {
  const lines = [
    'user',
    'user add',
    'user add a@example.test --role boss',
    'user list --frobnicate',
    'user drop a@example.test',
  ];
  for (const line of lines)
    expect(await run(line)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Usage') });
});
