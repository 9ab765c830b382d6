import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countersOf, type DexCounters } from './counters.ts';
import { difference, nextBaseline } from './difference.ts';
import { readDex } from './read-dex.ts';
import { buildDex, latin1Bytes } from './sample.ts';

const hour = 3_600_000;
const scale = 'ID4*2*840';
const at = (hours: number, ...lines: string[]): DexCounters =>
  countersOf(readDex(latin1Bytes(buildDex(['ID1*S1*M', scale, ...lines]))), hours * hour);
const soldOf = (before: DexCounters, after: DexCounters) => {
  const found = difference(before, after);
  return found.kind === 'sales'
    ? found.selections.map(({ id, vends, value, by }) => ({ id, vends, value, by }))
    : found;
};

describe('two reads of a machine', () => {
  const first = at(1, 'PA1*10*125', 'PA2*10*1250*2*250', 'PA1*12*200', 'PA2*5*1000*1*200');

  it('the first is a baseline', () => {
    expect(difference(null, first)).toEqual({ kind: 'baseline', reason: 'first', fell: [] });
    expect(nextBaseline(null, first, difference(null, first))).toBe(first);
  });

  it('sell the difference, by selection; one that is new counts from now on, one left out keeps its counter', () => {
    const second = at(9, 'PA1* 10*125', 'PA2*13*1625*5*625', 'PA1*14*100', 'PA2*70*7000');
    expect(difference(first, second)).toMatchObject({
      kind: 'sales',
      selections: [{ id: '10', vends: 3, value: 375, by: 'count' }],
      added: ['14'],
    });
    const kept = nextBaseline(first, second, difference(first, second));
    expect(soldOf(kept, at(20, 'PA1*12*200', 'PA2*9*1800'))).toEqual([{ id: '12', vends: 4, value: 800, by: 'count' }]);
  });

  it('of the same or an earlier time are ignored, unless the machine counted a read since', () => {
    expect(difference(first, at(1, 'PA1*10*125', 'PA2*13*1625'))).toEqual({ kind: 'ignored', reason: 'older' });
    expect(nextBaseline(first, at(0), difference(first, at(0)))).toBe(first);
    const counted = at(5, 'EA3*39', 'PA1*10*125', 'PA2*10*1250');
    expect(soldOf(counted, at(2, 'EA3*40', 'PA1*10*125', 'PA2*11*1375'))).toHaveLength(1);
    expect(difference(counted, at(2, 'EA3*38', 'PA1*10*125', 'PA2*9*1125')).kind).toBe('ignored');
  });

  it('a counter that fell is a new baseline, and is named', () => {
    const fell = difference(first, at(9, 'PA1*10*125', 'PA2*2*250', 'PA1*12*200', 'PA2*6*1200'));
    expect(fell).toEqual({ kind: 'baseline', reason: 'counters-fell', fell: ['10'] });
    const other = countersOf(readDex(latin1Bytes(buildDex(['ID1*S2*M']))), 9 * hour);
    expect(difference(first, other)).toMatchObject({ kind: 'baseline', reason: 'other-machine' });
  });

  it('a fall from above 90 % of 10,000 is a wrap when what follows is plausible for the time', () => {
    const high = at(0, 'PA1*10*100', 'PA2*9995*999500');
    expect(soldOf(high, at(1, 'PA1*10*100', 'PA2*7*700'))).toEqual([{ id: '10', vends: 12, value: 1200, by: 'wrap' }]);
    expect(difference(high, at(1, 'PA1*10*100', 'PA2*900*0'))).toMatchObject({ reason: 'counters-fell' });
    const low = at(0, 'PA1*10*100', 'PA2*8995*999500');
    expect(difference(low, at(1, 'PA1*10*100', 'PA2*7*700'))).toMatchObject({ reason: 'counters-fell' });
    expect(difference(at(0, 'PA1*1*100', 'PA2*95*0'), at(1, 'PA1*1*100', 'PA2*3*0'))).toMatchObject({ fell: ['1'] });
  });

  it('counters since reset serve where the others stand still, and a reset counts from 0', () => {
    const stuck = at(0, 'PA1*1*150', 'PA2*0*0*4*600', 'PA1*2*150', 'PA2***7*1050');
    const later = at(5, 'PA1*1*150', 'PA2*0*0*9*1350', 'PA1*2*150', 'PA2***2*300');
    expect(soldOf(stuck, later)).toEqual([
      { id: '1', vends: 5, value: 750, by: 'count' },
      { id: '2', vends: 2, value: 300, by: 'reset' },
    ]);
    // A reset alone, with the count since the start unmoved, sold nothing.
    expect(soldOf(at(0, 'PA1*1*9', 'PA2*40*360*5*45'), at(1, 'PA1*1*9', 'PA2*40*360*0*0'))).toMatchObject([
      { vends: 0 },
    ]);
  });

  it('of a file without a scale only counts are told', () => {
    const file = (vends: number) => readDex(latin1Bytes(buildDex(['PA1*1*5', `PA2*${vends}*${vends * 5}`])));
    expect(soldOf(countersOf(file(1), 1), countersOf(file(4), 2))).toEqual([
      { id: '1', vends: 3, value: null, by: 'count' },
    ]);
  });

  it('by paying device where both have it, and for the machine as a whole', () => {
    const file = (cash: number, card: number, hours: number) =>
      at(
        hours,
        `VA1*${(cash + card) * 100}*${cash + card}`,
        `CA2*${cash * 100}*${cash}`,
        `DA2*${card * 100}*${card}`,
        'PA1*1*100',
        `PA2*${cash + card}*${(cash + card) * 100}`,
        `PA7*1*CA*1*100*${cash}*${cash * 100}`,
        `PA7*1*DA*1*100*${card}*${card * 100}`,
      );
    expect(difference(file(3, 4, 0), file(5, 9, 2))).toMatchObject({
      selections: [{ vends: 7, value: 700, byDevice: { CA: { vends: 2, value: 200 }, DA: { vends: 5, value: 500 } } }],
      total: { vends: 7, value: 700 },
      cash: { vends: 2, value: 200 },
      cashless: { vends: 5, value: 500 },
    });
  });
});

it('whatever was sold, read, told again or told late, the differences add up to it', () => {
  const day = fc.record({
    sold: fc.array(fc.nat(30), { minLength: 3, maxLength: 3 }),
    again: fc.boolean(),
    late: fc.boolean(),
  });
  const start = fc.array(fc.constantFrom<number>(0, 9_990, 99_960, 123), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(start, fc.array(day, { minLength: 2, maxLength: 8 }), (counters, days) => {
      const state = counters.slice();
      const read = (n: number) =>
        at(
          24 * n,
          `EA3*${n}`,
          ...state.flatMap((vends, slot) => [
            `PA1*${slot}*100`,
            `PA2*${vends % widthOf(counters[slot] ?? 0)}*${vends * 100}`,
          ]),
        );
      let baseline: DexCounters | null = null;
      const told: DexCounters[] = [];
      const sums = [0, 0, 0];
      const take = (next: DexCounters) => {
        const found = difference(baseline, next);
        baseline = nextBaseline(baseline, next, found);
        if (found.kind === 'sales')
          for (const { id, vends } of found.selections) sums[Number(id)] = (sums[Number(id)] ?? 0) + vends;
        return found.kind;
      };
      told.push(read(1));
      take(read(1));
      days.forEach(({ sold, again, late }, n) => {
        sold.forEach((vends, slot) => {
          state[slot] = (state[slot] ?? 0) + vends;
        });
        told.push(read(n + 2));
        expect(take(read(n + 2))).toBe('sales');
        if (again) expect(take(read(n + 2))).toBe('ignored');
        if (late) expect(take(told[n] ?? read(1))).toBe('ignored');
      });
      expect(sums).toEqual(state.map((vends, slot) => vends - (counters[slot] ?? 0)));
    }),
    { numRuns: process.env.MILKRUN_LONG === '1' ? 2_000 : 200 },
  );
});

/** Counters of four and of five digits; those that start low have room enough. */
const widthOf = (start: number): number => (start > 10_000 ? 100_000 : 10_000);

const folder = path.join(process.env.MILKRUN_TEST_DATA ?? '', 'dex');
const pair = ['thiopcb-Pc54601-20191230144918.daa', 'thiopcb-Pc54601-20191230145020.daa'];
const files = pair.map((name) => path.join(folder, name));

it.runIf(process.env.MILKRUN_TEST_DATA && files.every((file) => existsSync(file)))(
  'one real machine read twice within 64 s sold nothing',
  () => {
    const [first, second] = files.map((file, n) => countersOf(readDex(readFileSync(file)), n * 64_000));
    const found = first && second ? difference(first, second) : null;
    expect(found?.kind === 'sales' && found.selections.map(({ vends }) => vends)).toEqual(Array(16).fill(0));
  },
);
