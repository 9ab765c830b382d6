import { expect, it } from 'vitest';
import {
  deviceLimits,
  growthSuggestions,
  healthOf,
  isNearRouteCapacity,
  levelOf,
  remarksOn,
  routeUtilisation,
  type Vitals,
} from './performance.ts';

const well = {
  averageResponseMs: 40,
  failedShare: 0,
  eventLoopDelayMs: 2,
  waiting: 0,
  disk: 'good',
  routeUtilisation: 12,
} as const;

it('warns of the routes of a day above 80 of 100, not at 80', () => {
  expect([80, 81].map(routeUtilisation).map(isNearRouteCapacity)).toEqual([false, true]);
});

it('is as healthy as its worst remark, each with what to do', () => {
  expect(healthOf(remarksOn(well))).toBe('excellent');
  expect(healthOf(remarksOn({ ...well, averageResponseMs: 200 }))).toBe('good');
  expect(healthOf(remarksOn({ ...well, averageResponseMs: 200, routeUtilisation: 81 }))).toBe('warning');
  const worst = remarksOn({ ...well, disk: 'full', waiting: 3 });
  expect(healthOf(worst)).toBe('critical');
  expect(worst.map(({ sentence }) => sentence)).toEqual([
    'The disk is full and nothing is saved. Make room on it now.',
    '3 calls wait for a connection to the database. Add a web process, or give the database more room.',
  ]);
});

it('writes thousands of milliseconds as every other number', () => {
  const said = (vitals: Partial<Vitals>) => remarksOn({ ...well, ...vitals }).map(({ sentence }) => sentence);
  expect(said({ averageResponseMs: 12_345.6 })).toEqual([
    'Answers take 12,346 ms on average. Look at the log for "slow query".',
  ]);
  expect(said({ averageResponseMs: 999.6 })).toEqual([
    'Answers take 1,000 ms on average; up to 300 ms feels quick. Run the optimisation.',
  ]);
});

const capacity = {
  cpuMsPerCall: 3,
  processes: 1,
  isEmbedded: false,
  devices: 1_000,
  databaseBytes: 1e9,
  freeBytes: 1e12,
};

it('bears as many devices as the scarcest thing allows', () => {
  // 0.6 of a processor, 3 ms a call, 0.0022 calls a device and second.
  expect(deviceLimits(capacity)).toEqual({ processor: 90_909, disk: 801_000, least: 90_000 });
  expect(deviceLimits({ ...capacity, processes: 2 }).processor).toBe(181_818);
  expect(deviceLimits({ ...capacity, freeBytes: 1e9 }).least).toBe(1_800);
  expect(deviceLimits({ ...capacity, isEmbedded: true }).least).toBe(200);
});

it('takes no disk of another machine for that of the database', () => {
  const elsewhere = { ...capacity, freeBytes: null };
  expect(deviceLimits(elsewhere)).toEqual({ processor: 90_909, disk: null, least: 90_000 });
  const busy = { ...elsewhere, cpuMsPerCall: 137 };
  expect(growthSuggestions(busy, deviceLimits(busy))).toEqual([
    'Start another process with --role web; 1 answers calls now.',
  ]);
});

it('claims no number before anything was measured', () => {
  expect(deviceLimits({ ...capacity, cpuMsPerCall: null }).least).toBeNull();
});

it('says what runs out first, however the devices it bears are rounded, until there is room for twice as many', () => {
  const said = (given: Partial<typeof capacity>) => {
    const one = { ...capacity, ...given };
    return growthSuggestions(one, deviceLimits(one));
  };
  expect(said({})).toEqual([]);
  expect(said({ cpuMsPerCall: 137 })).toEqual(['Start another process with --role web; 1 answers calls now.']);
  expect(said({ cpuMsPerCall: 137, processes: 2, devices: 2_000 })[0]).toContain('2 answer calls now');
  expect(said({ freeBytes: 1_111_111_111 })).toEqual(['Give the database a larger disk.']);
  expect(said({ isEmbedded: true })[0]).toContain('Move to PostgreSQL');
});

it('has a level by the devices it bears', () => {
  expect([50_000, 49_999, 5_000, 4_999, 500, 499, null].map(levelOf)).toEqual([
    'enterprise_plus',
    'enterprise',
    'enterprise',
    'small_business',
    'small_business',
    'startup',
    'startup',
  ]);
});
