import { expect, it } from 'vitest';
import { dayPlanInput } from './day-plan.ts';
import { optimizeInput } from './route.ts';

const ids = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

it('as many locations are planned at a time as a server can hold, of both kinds together', () => {
  const day = { date: '2026-03-13', crews: [{}] };
  for (const schema of [optimizeInput, dayPlanInput]) {
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
