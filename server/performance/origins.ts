import { counted } from '../../domain/counted.ts';
import { type Capacity, callsPerDeviceSecond, dailyRouteCapacity, usableShare } from '../../domain/performance.ts';
import type { CpuUse } from './queries.ts';

/** How each figure is got, in the words of the screen. */
export const metricOrigins = {
  totalDevices: 'Counted now in the database: machines and markets that are not deleted.',
  activeDevices: 'Counted now in the database: machines and markets whose status is active.',
  todaysRoutes: 'Counted now: routes dated today in your time zone.',
  activeRoutes: 'Counted now: routes of today that a driver has started and not finished.',
  completedRoutes: 'Counted now: routes of today that are finished.',
  routeCapacityUtilization: `Routes of today in percent of the ${dailyRouteCapacity} that a day may hold.`,
  transactionsPerSecond:
    'Database transactions finished by all server processes in the last 60 seconds, or since the start if that was later, divided by these seconds. A statement on its own counts as one.',
  averageResponseTime:
    'From the arrival of a call to its last byte, mean of all calls answered in the last 60 seconds. Files, live streams and calls that were turned away are left out.',
  dataProcessingRate:
    'Rows that the database read out or changed for this program in the last 60 seconds, or since the start if that was later, divided by these seconds.',
  systemHealth:
    'The worst of: answer time, share of failed calls, lateness of the process, calls that wait for the database, disk, routes of today. Excellent when none is remarkable.',
  recommendations: 'One for each remark that keeps the health from being excellent.',
};

export const routeOrigins = {
  todaysRoutes: metricOrigins.todaysRoutes,
  currentUtilization: metricOrigins.routeCapacityUtilization,
  remainingCapacity: `${dailyRouteCapacity} less the routes of today.`,
};

const projection =
  'The least of what processor, disk and kind of database allow; Max recommended devices says each. What was not measured yet or is not known from here is left out.';

export const scalabilityOrigins = {
  currentCapacity: metricOrigins.totalDevices,
  projectedCapacity: projection,
  queryResponseTime:
    'From sending a statement to its last row, mean of all statements of the last 60 seconds; waiting for a connection is not in it.',
  indexEfficiency:
    'From the statistics of PostgreSQL since they were last reset: reads by an index, in percent of all reads of tables with 1,000 rows or more.',
  connectionPoolStatus: 'Connections of the process that answered this call, now.',
  bottlenecks:
    'The remarks of the system health, the checks of failures and indexes that are not passed, and large tables that are read whole.',
  optimizationSuggestions: 'Derived from what runs out first.',
};

export const readinessOrigins = {
  score: 'The sum of the points of the checks passed, of 100. Each check stands below with what it found.',
  readinessLevel:
    'By the devices recommended: 50,000 and more enterprise plus, 5,000 enterprise, 500 small business, fewer startup.',
  criticalImprovements: 'The checks that are not passed.',
};

/** What each check of the readiness looks at. */
export const checkOrigins = {
  Database: 'The kind of database that this server has opened.',
  Headroom: 'The devices counted now against those recommended; at least twice as many pass.',
  'Response time': `${metricOrigins.averageResponseTime} Up to 150 ms pass.`,
  Failures:
    'Calls of the last 60 seconds that were turned away or answered with 500 or above, without those where a partner or another system outside did not answer; up to one of 1,000 passes.',
  Indexes:
    'From the statistics of PostgreSQL since they were last reset: reads by an index, in percent of all reads of tables with 1,000 rows or more. 90% pass.',
  Disk: 'Asked of the operating system for the disk of the data folder, which need not be that of the database; below 85% used, or 40 GB and more free, passes.',
  'Routes of today': `${metricOrigins.routeCapacityUtilization} Up to 80% pass.`,
} as const;

const everyMinute =
  'Each server process writes its own last minute down; a longer step is the mean of its minutes, as far as they were measured.';

export const historyOrigins = {
  responseMs: `From the arrival of a call to its last byte, mean of the calls answered in each step. ${everyMinute}`,
  callsPerSecond: `Calls answered, by all processes together. ${everyMinute}`,
  transactionsPerSecond: `Database transactions finished, by all processes together. ${everyMinute}`,
  rowsPerSecond: `Rows that the database read out or changed for this program. ${everyMinute}`,
  queryMs: `From sending a statement to its last row, mean of the statements of each step. ${everyMinute}`,
  eventLoopDelayMs:
    'How late the busiest process began what was due, the worst minute of each step. Above 500 ms people are asked to come back.',
  memoryMb: 'Memory that the operating system has given the largest process, the most of each step.',
};

const number = (value: number): string => value.toLocaleString('en-US');

function diskOrigin(isKnown: boolean, limit: number | null): string {
  if (!isKnown)
    return 'Disk: not known from here, because the database is on another machine; ask there how much is free.';
  if (limit === null) return 'Disk: too few devices to say.';
  return `Disk: at today's size of the database per device, 80% of the free room is enough for ${number(limit)}.`;
}

/** The arithmetic behind the devices recommended, with its measured numbers in it. */
export function capacityOrigin(
  { cpuMsPerCall, processes, isEmbedded, freeBytes }: Capacity,
  { minutes }: CpuUse,
  limits: { processor: number | null; disk: number | null },
): string {
  const processor =
    cpuMsPerCall === null || limits.processor === null
      ? 'Processor: not measured yet, it takes a minute with 30 calls or more.'
      : `Processor: a call took ${cpuMsPerCall.toFixed(1)} ms of it (mean of ${counted(minutes, 'minute', 'minutes')} of the last day); ` +
        `${counted(processes, 'process', 'processes')} at ${100 * usableShare}% load and ${callsPerDeviceSecond} calls a device and second in the peak hour make ${number(limits.processor)} devices.`;
  const disk = diskOrigin(freeBytes !== null, limits.disk);
  const kind = isEmbedded ? ' The embedded database is recommended up to 200 machines and markets.' : '';
  return `${processor} ${disk}${kind} The least of them, rounded down to two digits.`;
}
