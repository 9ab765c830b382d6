import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { buildDex } from '../../../connectors/dex/sample.ts';
import { runCommand } from '../commands.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-dex-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function call(...args: string[]) {
  const said = { out: '', err: '' };
  const code = await runCommand(['dex', ...args], {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
  });
  return { code, ...said };
}

it('prints one JSON document with raw counters, and words without --json', async () => {
  const file = path.join(folder, 'machine.dex');
  writeFileSync(
    file,
    buildDex(['ID1*S1*M1', 'ID4*2*840', 'VA1*1250*10', 'CA2*500*4', 'DA2*750*6', 'PA1*10*125*Cola', 'PA2*10*1250']),
  );
  const json = JSON.parse((await call(file, '--json')).out);
  expect(json).toMatchObject({
    crc: 'ok',
    serial: 'S1',
    model: 'M1',
    decimalPoint: 2,
    vends: 10,
    value: 1250,
    cash: 500,
    cashless: 750,
    selections: [{ id: '10', name: 'Cola', price: 125, vends: 10, value: 1250 }],
    events: [],
    warnings: [],
  });
  expect((await call(file)).out).toContain('10     1.25       10       12.50  Cola');
});

it('refuses what is no DEX file, a missing file and a missing name, each with its reason', async () => {
  const file = path.join(folder, 'other.txt');
  writeFileSync(file, 'hello');
  expect(await call(file)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('This is no DEX file') });
  expect(await call(path.join(folder, 'none'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot be read'),
  });
  expect(await call()).toMatchObject({ code: 2, err: expect.stringContaining('Usage: milkrun dex FILE') });
});
