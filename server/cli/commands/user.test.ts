import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { fillDataFolder } from '../../testing/databases/embedded-template.ts';
import { runCommand } from '../commands.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-user-'));

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

it('gives a person another route or none, and shuts somebody out', async () => {
  await run('user add cy@example.test --role field_worker --route 101');
  expect((await run('user route CY@example.test 202')).out).toBe('cy@example.test drives route 202 now.');
  expect((await run('user route cy@example.test none')).out).toBe('cy@example.test has no route now.');
  expect(JSON.parse((await run('user route cy@example.test 303 --json')).out)).toMatchObject({
    routeDesignation: '303',
  });
  await run('user route cy@example.test none');
  expect(JSON.parse((await run('user deactivate cy@example.test --json')).out)).toMatchObject({ isActive: false });
  expect((await run('user list')).out).toContain('cy@example.test\t-\tField Operator\t-\tdeactivated');
  expect(await run('user deactivate nobody@example.test')).toMatchObject({
    code: 1,
    err: 'Nobody here has the address nobody@example.test. See milkrun user list.',
  });
});

it('lets a person in who lost their second step and forgets one, as one JSON document where that is asked for', async () => {
  await run('user add dee@example.test --role field_worker');
  const reset = await run('person reset-second-step dee@example.test --json');
  expect(JSON.parse(reset.out)).toEqual({ id: expect.any(Number), secondStep: 'reset' });
  const forgotten = await run('person forget dee@example.test --yes --json');
  expect(JSON.parse(forgotten.out)).toEqual({ id: JSON.parse(reset.out).id, forgotten: true });
});

it('says what is wrong with its options before it opens the database', async () => {
  const lines = [
    'user',
    'user add',
    'user add a@example.test --role boss',
    'user list --frobnicate',
    'user list --role admin',
    'user route a@example.test 101 --phone 4155550123',
    'user drop a@example.test',
    'user route a@example.test',
    'user deactivate a@example.test now',
  ];
  for (const line of lines)
    expect(await run(line)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Usage') });
});
