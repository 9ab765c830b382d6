import { z } from 'zod';
import { readinessLevels, systemHealths } from '../domain/performance.ts';
import { endpoint } from './endpoint.ts';
import { instant } from './shapes.ts';

const count = z.int();
/** By the name of a figure: how it was got. */
const origins = z.record(z.string(), z.string()).meta({ description: 'How each figure is measured, by its name' });
const sentences = z.array(z.string());

export const performanceMetrics = z
  .object({
    totalDevices: count,
    activeDevices: count,
    todaysRoutes: count,
    activeRoutes: count,
    completedRoutes: count,
    routeCapacityUtilization: z.number().meta({ description: "Today's routes in percent of 100" }),
    transactionsPerSecond: z.number(),
    averageResponseTime: z.number().meta({ description: 'Milliseconds; 0 when nothing was asked' }),
    dataProcessingRate: z.number().meta({ description: 'Rows read out or changed, a second' }),
    systemHealth: z.enum(systemHealths),
    recommendations: sentences,
    processes: count,
    measuredAt: instant,
    origins,
  })
  .meta({ id: 'PerformanceMetrics' });
export type PerformanceMetrics = z.output<typeof performanceMetrics>;

export const getPerformanceMetrics = endpoint({
  method: 'GET',
  path: '/api/performance/metrics',
  summary: 'Devices, routes of today and how quickly the servers answer, over the last minute',
  needs: 'office:read',
  reply: performanceMetrics,
});

export const scalabilityReport = z
  .object({
    currentCapacity: count.meta({ description: 'Devices served now' }),
    projectedCapacity: count
      .nullable()
      .meta({ description: 'Devices these servers could serve; null: not measured yet' }),
    databasePerformance: z.object({
      queryResponseTime: z.number().meta({ description: 'Milliseconds of a statement, mean of the last minute' }),
      indexEfficiency: z
        .number()
        .nullable()
        .meta({ description: 'Percent of the reads of large tables that went by an index' }),
      connectionPoolStatus: z.string(),
    }),
    bottlenecks: sentences,
    optimizationSuggestions: sentences,
    origins,
  })
  .meta({ id: 'ScalabilityReport' });
export type ScalabilityReport = z.output<typeof scalabilityReport>;

export const getScalabilityReport = endpoint({
  method: 'GET',
  path: '/api/performance/scalability-report',
  summary: 'What the servers bear now and could bear, how the database does, and what would run out first',
  needs: 'office:read',
  reply: scalabilityReport,
});

export const enterpriseReadiness = z
  .object({
    score: count.meta({ description: '0 to 100: the points of the checks passed' }),
    maxRecommendedDevices: count.nullable(),
    readinessLevel: z.enum(readinessLevels),
    criticalImprovements: sentences,
    checks: z.array(z.object({ name: z.string(), passed: z.boolean(), points: count, detail: z.string() })),
    origins,
  })
  .meta({ id: 'EnterpriseReadiness' });
export type EnterpriseReadiness = z.output<typeof enterpriseReadiness>;

export const getEnterpriseReadiness = endpoint({
  method: 'GET',
  path: '/api/performance/enterprise-readiness',
  summary: 'How far this installation is ready for growth, check by check',
  needs: 'office:read',
  reply: enterpriseReadiness,
});

export const routeCapacity = z
  .object({
    todaysRoutes: count,
    currentUtilization: z.number().meta({ description: 'Percent' }),
    remainingCapacity: count,
    origins,
  })
  .meta({ id: 'RouteCapacity' });
export type RouteCapacity = z.output<typeof routeCapacity>;

export const getRouteCapacity = endpoint({
  method: 'GET',
  path: '/api/performance/route-capacity',
  summary: "Today's routes against the 100 that a day may hold",
  needs: 'office:read',
  reply: routeCapacity,
});

export const performanceSpans = ['hour', 'day', 'week'] as const;

const performancePoint = z.object({
  at: instant,
  callsPerSecond: z.number(),
  responseMs: z.number().nullable().meta({ description: 'Null when nothing was asked' }),
  transactionsPerSecond: z.number(),
  rowsPerSecond: z.number(),
  queryMs: z.number().nullable(),
  eventLoopDelayMs: z.number(),
  memoryMb: z.number(),
});
export type PerformancePoint = z.output<typeof performancePoint>;

export const getPerformanceHistory = endpoint({
  method: 'GET',
  path: '/api/performance/history',
  summary: 'The same figures over the last hour, day or week',
  needs: 'office:read',
  query: z.object({ span: z.enum(performanceSpans).default('hour') }),
  reply: z.object({ minutesPerPoint: count, points: z.array(performancePoint), origins }),
});

export const optimizeEnterprise = endpoint({
  method: 'POST',
  path: '/api/performance/optimize-enterprise',
  summary: 'Run the maintenance of the database now, and say what was done',
  needs: 'settings:manage',
  reply: z.object({ implementedOptimizations: sentences, seconds: z.number() }),
});
