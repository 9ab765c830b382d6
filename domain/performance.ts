import { counted } from './counted.ts';

/** Routes that one day may hold; the planner's own ceiling. */
export const dailyRouteCapacity = 100;
/** Above this share of the daily routes people are warned, in percent. */
export const routeWarningPercent = 80;

export const systemHealths = ['excellent', 'good', 'warning', 'critical'] as const;
export type SystemHealth = (typeof systemHealths)[number];

export const readinessLevels = ['enterprise_plus', 'enterprise', 'small_business', 'startup'] as const;
export type ReadinessLevel = (typeof readinessLevels)[number];

/** Today's routes in percent of what a day may hold. */
export function routeUtilisation(todaysRoutes: number): number {
  return Math.round((100 * todaysRoutes) / dailyRouteCapacity);
}

/** Whether people are warned of the daily routes, in percent of what a day may hold. */
export const isNearRouteCapacity = (percent: number): boolean => percent > routeWarningPercent;

/** What one server says of itself; times in milliseconds, shares from 0 to 1. */
export type Vitals = {
  averageResponseMs: number;
  /** Share of the last minute's calls that failed on our side. */
  failedShare: number;
  eventLoopDelayMs: number;
  /** Calls that wait for a connection to the database. */
  waiting: number;
  disk: 'good' | 'warning' | 'full';
  routeUtilisation: number;
};

/** What people are promised for a list; see docs/benchmarks.md. */
const goodResponseMs = 150;
const slowResponseMs = 300;
const brokenResponseMs = 1_000;
/** A share of failed calls above this is remarked on. */
export const toldFailedShare = 0.01;
const lateMs = 100;
const veryLateMs = 500;

type Remark = { health: SystemHealth; sentence: string };

/** Everything that keeps the state from being excellent, worst first; a state is that of its worst remark. */
export function remarksOn(vitals: Vitals): Remark[] {
  const { averageResponseMs: ms, failedShare, eventLoopDelayMs, waiting, disk, routeUtilisation: routes } = vitals;
  const found: (Remark | false)[] = [
    disk === 'full' && { health: 'critical', sentence: 'The disk is full and nothing is saved. Make room on it now.' },
    failedShare > 0.05 && {
      health: 'critical',
      sentence: `${percent(failedShare)} of the last minute's calls failed. Look at the log for "request failed".`,
    },
    ms > brokenResponseMs && {
      health: 'critical',
      sentence: `Answers take ${milliseconds(Math.round(ms))} on average. Look at the log for "slow query".`,
    },
    eventLoopDelayMs > veryLateMs && {
      health: 'critical',
      sentence: 'The process is late for everything it does. Add a web process or a faster machine.',
    },
    disk === 'warning' && { health: 'warning', sentence: 'The disk is nearly full. Make room on it this week.' },
    failedShare > toldFailedShare &&
      failedShare <= 0.05 && {
        health: 'warning',
        sentence: `${percent(failedShare)} of the last minute's calls failed. Look at the log for "request failed".`,
      },
    ms > slowResponseMs &&
      ms <= brokenResponseMs && {
        health: 'warning',
        sentence: `Answers take ${milliseconds(Math.round(ms))} on average; up to ${slowResponseMs} ms feels quick. Run the optimisation.`,
      },
    waiting > 0 && {
      health: 'warning',
      sentence: `${counted(waiting, 'call waits', 'calls wait')} for a connection to the database. Add a web process, or give the database more room.`,
    },
    isNearRouteCapacity(routes) && {
      health: 'warning',
      sentence: `${routes} of ${dailyRouteCapacity} routes of today are taken. Join short routes, or move some to another day.`,
    },
    eventLoopDelayMs > lateMs &&
      eventLoopDelayMs <= veryLateMs && {
        health: 'warning',
        sentence: `The process is ${Math.round(eventLoopDelayMs)} ms late on average. Plan long optimisations off the peak.`,
      },
    ms > goodResponseMs &&
      ms <= slowResponseMs && {
        health: 'good',
        sentence: `Answers take ${milliseconds(Math.round(ms))} on average; ${goodResponseMs} ms is the aim.`,
      },
  ];
  return found.filter((one) => one !== false);
}

/** The worst of the remarks; excellent without any. */
export function healthOf(remarks: readonly Remark[]): SystemHealth {
  return remarks.reduce<SystemHealth>(
    (worst, { health }) => (systemHealths.indexOf(health) > systemHealths.indexOf(worst) ? health : worst),
    'excellent',
  );
}

/**
 * Calls of a device in the peak hour, a second. 50,000 devices make 110 calls then: sale lines 50, partners' deliveries 45,
 * office screens 13, phones 2 (docs/scale.md has the whole day).
 */
export const callsPerDeviceSecond = 110 / 50_000;
/** The rest of a processor is kept for bursts, jobs and a neighbour that failed. */
export const usableShare = 0.6;
/** The embedded database is one connection in the server's own process: made for trials and small operators. */
export const embeddedDevices = 200;
/** The disk is not filled further than this. */
const diskShare = 0.8;

export type Capacity = {
  /** Processor time of one call in milliseconds, as measured; null before there was enough to measure. */
  cpuMsPerCall: number | null;
  /** Processes that answer calls. */
  processes: number;
  isEmbedded: boolean;
  devices: number;
  databaseBytes: number;
  /** On the disk of the database; null where that is another machine's, which is not known from here. */
  freeBytes: number | null;
};

export type DeviceLimits = { processor: number | null; disk: number | null; least: number | null };

/** Devices for each thing that runs out, and the least of them; null where nothing is known, or was measured yet. */
export function deviceLimits(capacity: Capacity): DeviceLimits {
  const { cpuMsPerCall, processes, isEmbedded, devices, databaseBytes, freeBytes } = capacity;
  const processor =
    cpuMsPerCall === null || cpuMsPerCall <= 0
      ? null
      : Math.floor((usableShare * 1000 * processes) / cpuMsPerCall / callsPerDeviceSecond);
  // A nearly empty database is mostly its own fixed size.
  const disk =
    devices < 20 || freeBytes === null
      ? null
      : Math.floor(devices + (diskShare * freeBytes) / (databaseBytes / devices));
  const known = [isEmbedded ? embeddedDevices : null, processor, disk].filter((limit) => limit !== null);
  const isMeasured = isEmbedded || processor !== null;
  return { processor, disk, least: isMeasured ? rounded(Math.min(...known)) : null };
}

/** What would make room for twice the devices there are; nothing where there is room, or none was measured. */
export function growthSuggestions(capacity: Capacity, { processor, disk, least }: DeviceLimits): string[] {
  const { isEmbedded, devices, processes } = capacity;
  if (least === null || devices * 2 <= least) return [];
  if (isEmbedded) return ['Move to PostgreSQL: set DATABASE_URL and restore a backup into it with one command.'];
  // Not compared with `least`, which is rounded.
  const diskIsFirst = disk !== null && (processor === null || disk < processor);
  return diskIsFirst
    ? ['Give the database a larger disk.']
    : [`Start another process with --role web; ${counted(processes, 'answers', 'answer')} calls now.`];
}

/** Two digits: more would claim an accuracy that an estimate has not. */
function rounded(devices: number): number {
  if (devices < 100) return devices;
  const step = 10 ** (Math.floor(Math.log10(devices)) - 1);
  return Math.floor(devices / step) * step;
}

/** How ready the installation is, by the devices it can serve; null: not known yet. */
export function levelOf(maxDevices: number | null): ReadinessLevel {
  if (maxDevices === null) return 'startup';
  if (maxDevices >= 50_000) return 'enterprise_plus';
  if (maxDevices >= 5_000) return 'enterprise';
  return maxDevices >= 500 ? 'small_business' : 'startup';
}

/** As screens write them beside each other. */
export const milliseconds = (ms: number): string => `${ms.toLocaleString('en-US')} ms`;

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
