import type {
  EnterpriseReadiness,
  PerformanceMetrics,
  PerformancePoint,
  performanceSpans,
  RouteCapacity,
  ScalabilityReport,
} from '../../contract/performance.ts';
import { counted } from '../../domain/counted.ts';
import {
  dailyRouteCapacity,
  growthSuggestions,
  healthOf,
  isNearRouteCapacity,
  levelOf,
  milliseconds,
  remarksOn,
  routeUtilisation,
  toldFailedShare,
} from '../../domain/performance.ts';
import type { Deps } from '../deps.ts';
import { capacityOf, failuresOf, meanMs, perSecond, type ReadMeters, round, routesToday } from './measured.ts';
import {
  capacityOrigin,
  checkOrigins,
  historyOrigins,
  metricOrigins,
  readinessOrigins,
  routeOrigins,
  scalabilityOrigins,
} from './origins.ts';
import { countDevices, findHistory, indexShare, wholeReads } from './queries.ts';

export { purgeSamples, type Sampler, startSampler } from './sampler.ts';

type Measured = Deps & { read: ReadMeters };

async function vitalsOf(deps: Measured) {
  const { rates, eventLoopDelayMs, waiting, at } = await deps.read();
  const routes = await routesToday(deps);
  const { failed, calls } = failuresOf(rates);
  const failedShare = calls < 20 ? 0 : failed / calls;
  const remarks = remarksOn({
    averageResponseMs: meanMs(rates.requestMs, rates.requests),
    failedShare,
    eventLoopDelayMs,
    waiting,
    disk: deps.watch.disk.state(),
    routeUtilisation: routeUtilisation(routes.all),
  });
  return { rates, routes, remarks, isFailingTold: failedShare > toldFailedShare, at };
}

export async function performanceMetrics(deps: Measured): Promise<PerformanceMetrics> {
  const { rates, routes, remarks, at } = await vitalsOf(deps);
  const devices = await countDevices(deps.db);
  return {
    totalDevices: devices.total,
    activeDevices: devices.active,
    todaysRoutes: routes.all,
    activeRoutes: routes.active,
    completedRoutes: routes.completed,
    routeCapacityUtilization: routeUtilisation(routes.all),
    transactionsPerSecond: perSecond(rates.transactions, rates),
    averageResponseTime: meanMs(rates.requestMs, rates.requests),
    dataProcessingRate: perSecond(rates.rows, rates),
    systemHealth: healthOf(remarks),
    recommendations: remarks.map(({ sentence }) => sentence),
    processes: rates.processes,
    measuredAt: at.toISOString(),
    origins: metricOrigins,
  };
}

export async function routeCapacity(deps: Deps): Promise<RouteCapacity> {
  const { all } = await routesToday(deps);
  return {
    todaysRoutes: all,
    currentUtilization: routeUtilisation(all),
    remainingCapacity: Math.max(0, dailyRouteCapacity - all),
    origins: routeOrigins,
  };
}

export async function scalabilityReport(deps: Measured): Promise<ScalabilityReport> {
  const { rates, remarks, isFailingTold } = await vitalsOf(deps);
  const { devices, capacity, limits } = await capacityOf(deps);
  const failures = failuresCheck(rates);
  const share = await indexShare(deps.db);
  const { most, total, idle, waiting } = deps.database.connections();
  const read = await wholeReads(deps.db);
  const bottlenecks = [
    ...remarks.map(({ sentence }) => sentence),
    ...(failures.passed || isFailingTold ? [] : [failures.detail]),
    ...(isIndexed(share) || read.length > 0 ? [] : [fewByIndex(share)]),
    ...read.map(
      ({ name, times, rows }) =>
        `${name} was read from end to end ${counted(times, 'time', 'times')}, ${counted(rows, 'row', 'rows')} each time.`,
    ),
  ];
  return {
    currentCapacity: devices.total,
    projectedCapacity: limits.least,
    databasePerformance: {
      queryResponseTime: meanMs(rates.queryMs, rates.queries),
      indexEfficiency: share === null ? null : round(100 * share, 1),
      connectionPoolStatus: capacity.isEmbedded
        ? 'One connection, in the server’s own process'
        : `${total - idle} of ${most} in use, ${waiting} waiting`,
    },
    bottlenecks,
    optimizationSuggestions: [
      ...growthSuggestions(capacity, limits),
      ...(read.length > 0 ? ['Run the optimisation: fresh statistics let the database choose its indexes.'] : []),
    ],
    origins: scalabilityOrigins,
  };
}

/** Added to what is said of room: the disk that is measured is this machine's. */
const unknownDisk = ' The database is on another machine, whose disk is not known from here.';

/** Reads of large tables that should go by an index. */
const goodIndexShare = 0.9;
const isIndexed = (share: number | null): boolean => share === null || share >= goodIndexShare;
const fewByIndex = (share: number | null): string =>
  `Only ${round(100 * (share ?? 0), 1)}% of the reads of large tables went by an index.`;
/** What a check is worth. Together 100. */
const worth = { database: 20, headroom: 25, response: 20, failures: 10, index: 10, disk: 10, routes: 5 };

export async function enterpriseReadiness(deps: Measured): Promise<EnterpriseReadiness> {
  const { rates, routes } = await vitalsOf(deps);
  const { devices, cpu, capacity, limits } = await capacityOf(deps);
  const ms = meanMs(rates.requestMs, rates.requests);
  const share = await indexShare(deps.db);
  const utilisation = routeUtilisation(routes.all);
  const disk = deps.watch.disk;
  const elsewhere = capacity.freeBytes === null ? unknownDisk : '';
  const checks = [
    check('Database', worth.database, !capacity.isEmbedded, [
      'PostgreSQL: as many processes as wanted can share it.',
      'The embedded database is for one process and up to 200 machines and markets. Set DATABASE_URL to a PostgreSQL.',
    ]),
    check('Headroom', worth.headroom, limits.least !== null && limits.least >= 2 * devices.total, [
      `${counted(devices.total, 'machine or market', 'machines and markets')} of ${limits.least?.toLocaleString('en-US')} that this installation bears.${elsewhere}`,
      limits.least === null
        ? 'Not measured yet: it takes some minutes with calls in them.'
        : `${counted(devices.total, 'machine or market', 'machines and markets')} of ${limits.least?.toLocaleString('en-US')}: less than twice what is needed.${elsewhere}`,
    ]),
    check('Response time', worth.response, ms <= 150, [
      `${milliseconds(ms)} on average in the last minute.`,
      `${milliseconds(ms)} on average in the last minute; the aim is 150 ms. Look at the log for "slow query".`,
    ]),
    failuresCheck(rates),
    check('Indexes', worth.index, isIndexed(share), [
      share === null
        ? 'No large table was read yet.'
        : `${round(100 * share, 1)}% of the reads of large tables went by an index.`,
      `${fewByIndex(share)} See the bottlenecks, and run the optimisation.`,
    ]),
    check('Disk', worth.disk, disk.state() === 'good', [
      `${round(disk.use().freeBytes / 1e9, 1)} GB free.${elsewhere}`,
      `${Math.round(100 * disk.use().usedShare)}% of the disk is used. Make room.${elsewhere}`,
    ]),
    check('Routes of today', worth.routes, !isNearRouteCapacity(utilisation), [
      `${utilisation}% of the routes that a day may hold.`,
      `${utilisation}% of the routes that a day may hold; above 80% a sick driver has no room left.`,
    ]),
  ];
  const passed = checks.filter((one) => one.passed);
  return {
    score: passed.reduce((points, one) => points + one.points, 0),
    maxRecommendedDevices: limits.least,
    readinessLevel: levelOf(limits.least),
    criticalImprovements: checks.filter((one) => !one.passed).map(({ name, detail }) => `${name}: ${detail}`),
    checks,
    origins: { ...readinessOrigins, ...checkOrigins, maxRecommendedDevices: capacityOrigin(capacity, cpu, limits) },
  };
}

function check(
  name: keyof typeof checkOrigins,
  points: number,
  passed: boolean,
  [good, bad]: [good: string, bad: string],
) {
  return { name, points, passed, detail: passed ? good : bad };
}

/** The check and the bottlenecks tell of failures alike. */
function failuresCheck(rates: Parameters<typeof failuresOf>[0]) {
  const { failed, calls } = failuresOf(rates);
  return check('Failures', worth.failures, failed <= calls / 1000, [
    failed === 0
      ? 'No call failed on our side in the last minute.'
      : `${counted(Math.round(failed), 'call', 'calls')} of ${counted(Math.round(calls), 'call', 'calls')} failed in the last minute.`,
    `${counted(Math.round(failed), 'call', 'calls')} failed in the last minute. Look at the log for "request failed".`,
  ]);
}

const spans = {
  hour: { hours: 1, minutesPerPoint: 1 },
  day: { hours: 24, minutesPerPoint: 15 },
  week: { hours: 168, minutesPerPoint: 120 },
} as const satisfies Record<(typeof performanceSpans)[number], object>;

export async function performanceHistory(deps: Deps, span: keyof typeof spans) {
  const { hours, minutesPerPoint } = spans[span];
  const found = await findHistory(deps.db, { now: deps.clock.now(), hours, minutesPerPoint });
  const points: PerformancePoint[] = found.map((row) => ({
    at: row.at,
    callsPerSecond: round(row.callsPerSecond, 2),
    responseMs: row.requests === 0 ? null : round(row.requestMs / row.requests, 1),
    transactionsPerSecond: round(row.transactionsPerSecond, 2),
    rowsPerSecond: round(row.rowsPerSecond, 1),
    queryMs: row.queries === 0 ? null : round(row.queryMs / row.queries, 2),
    eventLoopDelayMs: round(row.eventLoopDelayMs, 1),
    memoryMb: round(row.memoryMb, 0),
  }));
  return { minutesPerPoint, points, origins: historyOrigins };
}
