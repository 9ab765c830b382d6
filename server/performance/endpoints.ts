import * as contract from '../../contract/performance.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { databaseUpkeep, optimizeEnterprise, type Upkeep } from './maintenance.ts';
import { meterReader } from './measured.ts';
import {
  enterpriseReadiness,
  performanceHistory,
  performanceMetrics,
  routeCapacity,
  scalabilityReport,
} from './service.ts';

/** `upkeep`: the maintenance of other features. */
export function performanceEndpoints(deps: Deps, upkeep: readonly Upkeep[]): Handled[] {
  const measured = { ...deps, read: meterReader(deps) };
  return [
    handle(contract.getPerformanceMetrics, () => performanceMetrics(measured)),
    handle(contract.getScalabilityReport, () => scalabilityReport(measured)),
    handle(contract.getEnterpriseReadiness, () => enterpriseReadiness(measured)),
    handle(contract.getRouteCapacity, () => routeCapacity(deps)),
    handle(contract.getPerformanceHistory, ({ query }) => performanceHistory(deps, query.span)),
    handle(contract.optimizeEnterprise, ({ caller }) =>
      optimizeEnterprise(deps, caller, [...databaseUpkeep, ...upkeep]),
    ),
  ];
}
