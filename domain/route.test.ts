import { expect, it } from 'vitest';
import { dayPlanInput } from './day-plan.ts';
import { optimizeInput } from './route.ts';

const ids = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

it('what to put in order is said in known words: another key is refused, another option let through to be named', () => {
  const read = (part: object) => optimizeInput.safeParse({ marketIds: [1], ...part });
  expect(read({ vendingMachineId: 7 }).error?.issues.map(({ message }) => message)).toEqual([
    'Unrecognized key: "vendingMachineId"',
  ]);
  expect(read({ options: { seed: 1, maxStops: 5 } }).data?.options).toEqual({ seed: 1, maxStops: 5 });
});

it('as many locations are planned at a time as a server can hold, of both kinds together', () => {
  const date = '2026-03-13';
  const doors = [
    [optimizeInput, { date }],
    [dayPlanInput, { date, crews: [{}] }],
  ] as const;
  for (const [schema, day] of doors) {
    const read = (marketIds: number[], vendingMachineIds: number[]) =>
      schema
        .safeParse({ ...day, marketIds, vendingMachineIds })
        .error?.issues.map(({ path, message }) => [path[0], message]);
    expect(read(ids(1_500), ids(1_500))).toBeUndefined();
    const sentence = 'Choose at most 3,000 locations at a time; plan the rest apart';
    expect(read(ids(1_501), ids(1_500))).toContainEqual(['marketIds', sentence]);
    expect(read([], ids(10_000))).toContainEqual(['vendingMachineIds', sentence]);
  }
});
