import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { dexAlerts } from './alerts.ts';
import { crc16 } from './checksum.ts';
import { countersOf } from './counters.ts';
import { DexError } from './dex-error.ts';
import { machineTime } from './elements.ts';
import { readDex } from './read-dex.ts';
import { buildDex, latin1Bytes } from './sample.ts';

const lines = [
  'ID1*ABC0000001*DEMO****A-17',
  'ID4*2*840*USD',
  'VA1*1250*10*250*2',
  'CA2*500*4*125*1',
  'DA2*750*6*125*1',
  'PA1*10*125',
  'PA2*10*1250*2*250',
];
const read = (text: string) => readDex(latin1Bytes(text));
const codes = (text: string) => read(text).warnings.map(({ code }) => code);

describe('the checksum', () => {
  const whole = buildDex(lines);

  it('is CRC-16/ARC', () => {
    expect(crc16(latin1Bytes('123456789')).toString(16)).toBe('bb3d');
    expect(whole).toContain('G85*9C6F\r\nSE*10*');
  });

  it('holds without the last line end, with its bytes swapped, and with line ends that XML changed', () => {
    const short = crc16(latin1Bytes(['ST*001*0001', ...lines].join('\r\n')));
    const shortHex = short.toString(16).toUpperCase().padStart(4, '0');
    expect(read(whole)).toMatchObject({ crc: 'ok', crcForm: 'standard', crcStated: '9C6F' });
    expect(read(whole.replace('9C6F', shortHex))).toMatchObject({ crc: 'ok', crcForm: 'without-final-crlf' });
    expect(read(whole.replace('9C6F', '6f9c'))).toMatchObject({ crc: 'ok', crcForm: 'byte-swapped' });
    expect(read(whole.replaceAll('\r\n', '\n'))).toMatchObject({ crc: 'ok', crcForm: 'standard' });
  });

  it('a wrong one is told with the right one, and everything is read all the same', () => {
    const damaged = read(whole.replace('PA2*10*', 'PA2*11*'));
    expect(damaged).toMatchObject({ crc: 'mismatch', vends: 10, selections: [{ id: '10', vends: 11, value: 1250 }] });
    expect(damaged.warnings[0]?.code).toBe('crc-mismatch');
    expect(read(whole.replace(/G85.*\r\n/, ''))).toMatchObject({ crc: 'absent', crcStated: null });
  });
});

describe('what a file says', () => {
  it('identity, scale, money and counts', () => {
    expect(read(buildDex(lines))).toMatchObject({
      serial: 'ABC0000001',
      model: 'DEMO',
      decimalPoint: 2,
      currency: 'USD',
      vends: 10,
      value: 1250,
      cash: 500,
      cashless: 750,
      identity: { assetNumber: 'A-17' },
      checks: { devicesAddUp: true, selectionValues: true, selectionVends: true },
      warnings: [],
    });
  });

  it('tubes, events, power cuts, temperature and reads', () => {
    const more = [
      'CA3*100*50*50*0*400*200*200*0',
      'CA15*1550',
      'CA17*1*25*14*2*1*1',
      'EA1*OCF*20231210*015902*18',
      'EA1*ELA_107*000000*0000',
      'EA2*EGS*1*7**1',
      'EA3*39*231210*2310**231209*231105',
      'EA7*6*11',
      'MA5*TEMP*59*15',
    ];
    const reading = read(buildDex([...lines, ...more]));
    expect(reading).toMatchObject({
      tubeValue: 1550,
      tubes: [{ tube: '1', coinValue: 25, coins: 14, filledByHand: 2, paidOutByHand: 1, full: true }],
      cashIn: { totalSinceReset: 100, total: 400, toBox: 200 },
      powerCuts: { sinceReset: 6, total: 11 },
      temperature: 15,
      machineTime: '2023-12-10T23:10:00',
      reads: { count: 39, at: '2023-12-10T23:10:00', previousAt: '2023-12-09T23:11:05' },
    });
    expect(reading.events).toMatchObject([
      { code: 'OCF', description: 'Power interrupted', at: '2023-12-10T01:59:02', durationMin: 18 },
      { code: 'ELA', detail: '107', description: 'Product not delivered', at: null },
      { code: 'EGS', description: 'Door opened', countSinceReset: 1, count: 7, active: true },
    ]);
  });

  it('the split by paying device, with several price lists, and test and free vends', () => {
    const [selection] = read(
      buildDex([
        'ID4*2*978',
        'PA1*1*50*COFFEE   ',
        'PA2*602*29790*600*29790',
        'PA3*3*0*3*0',
        'PA4*2*0',
        'PA7*1*CA*1*50*419*20650*417*20650',
        'PA7*1*DA*2*50*183*9140*183*9140',
        'PA8*0*0*4',
        'LA1*0*1*50*7*602',
      ]),
    ).selections;
    expect(selection).toMatchObject({
      name: 'COFFEE',
      test: { vends: 3 },
      free: { vends: 2, vendsSinceReset: null },
      byDevice: [
        { device: 'CA', priceList: '1', vends: 419, value: 20650 },
        { device: 'DA', priceList: '2', vends: 183, vendsSinceReset: 183 },
      ],
      mixedVends: 4,
      lists: [{ list: '0', price: 50, vends: 602, vendsSinceReset: 7 }],
    });
  });
});

describe('what real files get wrong', () => {
  it('a wrong line count, a carrier’s wrapper, a line before DXS and a missing end are warnings', () => {
    const whole = buildDex(lines);
    expect(codes(whole.replace('SE*10*', 'SE*106*'))).toEqual(['segment-count']);
    const wrapped = read(`<000|Operations|Pc1|\f>${whole}<AAAA|BBBB>\r\n`);
    expect(wrapped).toMatchObject({ crc: 'ok', warnings: [{ code: 'carrier-header' }] });
    expect(read(`MC5*X*1\r\n${whole}`)).toMatchObject({ crc: 'ok', vends: 10, warnings: [] });
    expect(codes('ID1*1*2\r\nVA1*5*5')).toContain('no-end');
    expect(read('PA1*1*5\r\nPA2*3').selections).toMatchObject([{ id: '1', vends: 3, value: null }]);
  });

  it('elements shifted by one are read only when they are in all lines', () => {
    const shifted = buildDex(['PA1**1*5', 'PA2***129*0', 'PA1**2*100', 'PA2***118*0']);
    expect(read(shifted).selections).toMatchObject([
      { id: '1', price: 5, name: '', vends: null, vendsSinceReset: 129, raw: { pa1: ['', '1', '5'] } },
      { id: '2', price: 100 },
    ]);
    expect(codes(shifted)).toContain('shifted-elements');
    expect(read(buildDex(['PA1**1*5', 'PA1*2*100'])).selections[0]).toMatchObject({ id: '', price: 1 });
  });

  it('counts since reset above those since the start everywhere are swapped', () => {
    expect(read(buildDex(['PA1*1*5', 'PA2*412*41200*2655', 'PA1*2*5', 'PA2*0*0*0'])).countersSwapped).toBe(true);
    expect(read(buildDex(['PA1*1*5', 'PA2*412*0*2655', 'PA1*2*5', 'PA2*9*0*0'])).countersSwapped).toBe(false);
    expect(read(buildDex(['PA1*1*5', 'PA2*0*0*12'])).countersSwapped).toBe(false);
  });

  it.each([
    ['no ID4', [], false],
    ['no decimals', ['ID4*0*978'], false],
    ['two decimals', ['ID4*2*978'], true],
    ['no decimals in yen', ['ID4*0*392*JPY'], true],
  ])('with %s the scale is known: %s', (_, head, known) => {
    expect(read(buildDex([...head, 'PA1*1*100', 'PA2*1*100'])).scaleKnown).toBe(known);
  });

  it('padding, escapes and odd bytes in names; sentences as events; dates of 2000', () => {
    const reading = read(
      buildDex(['PA1*1*5*  T^C3^84ST ^E9 \u00e4 ', 'EA2*door was left open', 'EA1*EGS*20000101*0000']),
    );
    expect(reading.selections[0]?.name).toBe('T\u00c4ST \u00e9 \u00e4');
    expect(reading.events.map(({ code, at }) => [code, at])).toEqual([
      ['door was left open', null],
      ['EGS', null],
    ]);
  });

  it('an empty number is not reported, which is not 0; makers’ own lines are left out', () => {
    const reading = read(buildDex(['VA1**12', 'XX1*7', '@$66', 'EADXS*1', 'EA250705*0']));
    expect(reading).toMatchObject({ value: null, vends: 12, cash: null });
    expect(reading.warnings.at(-1)?.message).toContain('XX1, @$66, EADXS, EA250705');
  });

  it('a text with backslash letters for line ends is put right', () => {
    const reading = read(buildDex(lines).replaceAll('\r\n', '\\r\\n'));
    expect(reading).toMatchObject({ crc: 'ok', vends: 10 });
  });

  it.each([
    ['nothing', new Uint8Array(), 'empty'],
    ['a picture', Uint8Array.from([0x89, 0x50, 0x4e, 0x47]), 'not-dex'],
    ['more than a megabyte', new Uint8Array(1_000_001).fill(42), 'too-large'],
  ])('%s is refused with a sentence', (_, bytes, reason) => {
    expect(() => readDex(bytes)).toThrow(expect.objectContaining({ name: 'DexError', reason }));
  });
});

/** A file like those of a drink machine: 30 selections, split by device, events. */
const rich = buildDex([
  ...lines,
  ...Array.from({ length: 30 }, (_, n) => [
    `PA1*${n}*150*NAME ${n}`,
    `PA2*${n}*${n * 150}*1*150`,
    `PA7*${n}*CA**150*${n}*0`,
  ]).flat(),
  'EA1*EGS*231210*0159',
  'EA2*EGS*1*2**0',
  'CA17*1*5*9',
  'MA5*TEMP*59*15',
]);

it('mutated files are read or refused by name, never anything else, without growing', { timeout: 1_200_000 }, () => {
  const long = process.env.MILKRUN_LONG === '1';
  const seeds = [rich, ...realFiles().map(({ bytes }) => String.fromCharCode(...bytes))].map(latin1Bytes);
  let state = 20261121;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
  const special = [0, 10, 13, 42, 48, 57, 65, 94, 127, 160, 255];
  const mutate = (seed: Uint8Array): Uint8Array => {
    const bytes = random(8) === 0 ? seed.slice(0, random(seed.length + 1)) : seed.slice();
    for (let n = random(12); n > 0 && bytes.length > 1; n--) {
      const at = random(bytes.length);
      if (random(4) === 0) bytes.copyWithin(at, random(bytes.length), random(bytes.length));
      else bytes[at] = random(2) ? (special[random(special.length)] ?? 0) : random(256);
    }
    return bytes;
  };
  const runs = long ? 1_000_000 : 10_000;
  let refused = 0;
  let before = 0;
  let slowest = 0;
  for (let run = 0; run < runs; run++) {
    const bytes = mutate(seeds[run % seeds.length] ?? new Uint8Array());
    const begun = performance.now();
    try {
      const reading = readDex(bytes);
      countersOf(reading, run);
      dexAlerts(reading);
    } catch (error) {
      if (!(error instanceof DexError)) throw error;
      refused += 1;
    }
    slowest = Math.max(slowest, performance.now() - begun);
    if (run === runs / 10) before = process.memoryUsage().heapUsed;
  }
  expect(refused).toBeLessThan(runs / 4);
  expect(slowest).toBeLessThan(2_000);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000);
});

type RealFile = { name: string; bytes: Uint8Array };
const folder = path.join(process.env.MILKRUN_TEST_DATA ?? '', 'dex');
const hasData = process.env.MILKRUN_TEST_DATA !== undefined && existsSync(path.join(folder, 'expected.json'));
if (!hasData)
  process.stdout.write('SKIPPED: real DEX files. Set MILKRUN_TEST_DATA to a folder that holds dex/expected.json.\n');

function realFiles(): RealFile[] {
  if (!hasData) return [];
  const names = readdirSync(folder).filter((name) => /\.(?:eva|eva_dts|daa|txt)$/.test(name));
  return names.map((name) => ({ name, bytes: readFileSync(path.join(folder, name)) }));
}

type Expected = Record<string, { [field: string]: unknown; selections_detail: ExpectedSelection[] }>;
type ExpectedSelection = { id: string; price: number | null; name: string; pa2?: unknown[]; pa7?: string[][] };

const verdicts = { ok: 'ok', 'without-final-crlf': 'ok_excluding_final_crlf' };
const numeric = (told: string | undefined) => (told !== undefined && /^-?\d+$/.test(told) ? Number(told) : null);

/** What the reading says, in the words of the file of expectations. */
function told({ bytes }: RealFile) {
  const reading = readDex(bytes);
  const { counters, selections, crcForm, segmentCount, events } = reading;
  const form = crcForm === 'without-final-crlf' ? verdicts['without-final-crlf'] : 'ok';
  const sum = (pick: (one: (typeof selections)[number]) => number | null) =>
    selections.reduce((total, one) => total + (pick(one) ?? 0), 0);
  return {
    verdict: reading.crc === 'ok' ? form : reading.crc,
    se: segmentCount && { declared: segmentCount.stated, counted: segmentCount.counted },
    id1: { serial: reading.serial, model: reading.model },
    decimal_point: reading.decimalPoint,
    va1: counters.VA1?.slice(0, 4) ?? null,
    ca2: counters.CA2?.slice(0, 4) ?? null,
    da2: counters.DA2?.slice(0, 4) ?? null,
    db2: counters.DB2?.slice(0, 4) ?? null,
    ca3_first4: counters.CA3?.slice(0, 4) ?? null,
    tubeValue: reading.tubeValue,
    tubes: reading.tubes.map(({ coinValue, coins }) => [coinValue, coins]),
    selections: selections.length,
    pa2_sum_number_init: sum((one) => one.vends),
    pa2_sum_value_init: sum((one) => one.value),
    events: events.map(({ raw }) => raw),
    powerCuts: reading.powerCuts && [reading.powerCuts.sinceReset, reading.powerCuts.total],
    detail: selections.map((one) => ({
      pa1: one.raw.pa1.slice(0, 3).map((element) => element.trim()),
      vends: one.vends,
      value: one.value,
      sinceReset: one.vendsSinceReset,
      byDevice: one.byDevice.map((split) => [split.device, split.vends, split.value]),
    })),
  };
}

function wanted(name: string, all: Expected) {
  const one = all[name];
  if (!one) throw new Error(`${name} has no expectations`);
  const { va1, ca2, da2, db2, ca3_first4, decimal_point, id1, selections } = one;
  const detail = one.selections_detail;
  const [verdict, ca17, ea7] = [
    one.g85 as { verdict: string } | null,
    one.ca17 as string[][],
    one.ea7 as string[] | null,
  ];
  const eventLines = readFileSync(path.join(folder, name), 'latin1')
    .split(/\r?\n/)
    .filter((line) => /^EA[12]\*/.test(line));
  return {
    verdict: verdict?.verdict ?? 'absent',
    se: one.se,
    id1,
    decimal_point,
    va1,
    ca2,
    da2,
    db2,
    ca3_first4,
    tubeValue: (one.ca15 as number[] | null)?.[0] ?? null,
    tubes: ca17.map(([, value, coins]) => [numeric(value), numeric(coins)]),
    selections,
    pa2_sum_number_init: one.pa2_sum_number_init,
    pa2_sum_value_init: one.pa2_sum_value_init,
    events: eventLines.map((line) => line.split('*').slice(1)),
    powerCuts: ea7?.map(numeric) ?? null,
    detail: detail.map((selection) => ({
      pa1: [selection.id, selection.price === null ? '' : String(selection.price), selection.name].slice(0, 3),
      vends: selection.pa2?.[0] ?? null,
      value: selection.pa2?.[1] ?? null,
      sinceReset: selection.pa2?.[2] ?? null,
      byDevice: (selection.pa7 ?? []).map(([, device, , , vends, value]) => [device, numeric(vends), numeric(value)]),
    })),
  };
}

describe.runIf(hasData)('real files', () => {
  const all: Expected = hasData ? JSON.parse(readFileSync(path.join(folder, 'expected.json'), 'utf8')) : {};
  it.each(realFiles())('$name gives exactly what is expected', (file) => {
    const [seen, expected] = [told(file), wanted(file.name, all)];
    // Elements that were dropped at the end of PA1 are empty.
    for (const one of seen.detail) while (one.pa1.length < 3) one.pa1.push('');
    expect(seen).toEqual(expected);
  });
});

it.each([
  ['20260229', null],
  ['260229', null],
  ['20240229', '2024-02-29T10:00:00'],
  ['20260431', null],
  ['20260228', '2026-02-28T10:00:00'],
])('the day %s of a machine is %s', (day, expected) => {
  expect(machineTime(day, '1000')).toBe(expected);
});
