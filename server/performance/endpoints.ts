import * as contract from '../../contract/performance.ts';
import type { Deps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { databaseUpkeep, optimizeEnterprise, type Upkeep } from './maintenance.ts';
import {
  enterpriseReadiness,
  performanceHistory,
  performanceMetrics,
  routeCapacity,
  scalabilityReport,
} from './service.ts';

/** `upkeep`: the maintenance of other features. */
export const performanceEndpoints = (deps: Deps, upkeep: readonly Upkeep[]) => [
  handle(contract.getPerformanceMetrics, () => performanceMetrics(deps)),
  handle(contract.getScalabilityReport, () => scalabilityReport(deps)),
  handle(contract.getEnterpriseReadiness, () => enterpriseReadiness(deps)),
  handle(contract.getRouteCapacity, () => routeCapacity(deps)),
  handle(contract.getPerformanceHistory, ({ query }) => performanceHistory(deps, query.span)),
  handle(contract.optimizeEnterprise, ({ caller }) => optimizeEnterprise(deps, caller, [...databaseUpkeep, ...upkeep])),
];
