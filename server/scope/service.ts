import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { addDays } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { askedAlike, askedOfMany, type SumOfMany } from '../db/lately.ts';
import { plannedOnce } from '../db/postgres/kept-plans.ts';
import type { Clock } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { vendingMachines } from '../machines/tables.ts';
import { markets } from '../markets/tables.ts';
import { routes } from '../route-planning/tables.ts';
import { today } from '../settings/service.ts';

/**
 * What a person may see and change. Managers and administrators: everything. A field worker: the locations of the own
 * route designation plus every stop of the routes that are theirs to drive, assigned or of that designation, from yesterday
 * to tomorrow; without either, nothing.
 */
export type Scope =
  | { everything: true }
  | { everything: false; userId: number; designation: string | null; marketIds: number[]; machineIds: number[] };

export async function scopeOf(deps: { db: Db; clock: Clock }, caller: Caller): Promise<Scope> {
  if (caller.role !== 'field_worker') return { everything: true };
  const day = await today(deps.db, deps.clock);
  const stops = await rows<{ marketId: number | null; machineId: number | null }>(
    deps.db,
    plannedOnce(sql`select distinct s.market_id as "marketId", s.vending_machine_id as "machineId"
        from route_stops s join routes r on r.id = s.route_id
        where (r.driver_id = ${caller.userId} or r.route_designation = ${caller.routeDesignation})
          and r.date between ${addDays(day, -1)} and ${addDays(day, 1)}`),
  );
  return {
    everything: false,
    userId: caller.userId,
    designation: caller.routeDesignation,
    marketIds: stops.flatMap((stop) => stop.marketId ?? []),
    machineIds: stops.flatMap((stop) => stop.machineId ?? []),
  };
}

/**
 * Sums that everybody who sees everything is told alike: read once for all who ask within a second, as long as nothing changes
 * meanwhile. `asked`: which sums, and of what. `ofMany`: those that may be over very many rows.
 */
export function toldAlike<T>(
  { db, clock }: { db: Db; clock: Clock },
  scope: Scope,
  { asked, read, ofMany }: { asked: readonly unknown[]; read: () => Promise<T>; ofMany?: SumOfMany<T> },
): Promise<T> {
  if (!scope.everything) return read();
  const now = clock.now().getTime();
  if (ofMany) return askedOfMany(db, { key: JSON.stringify(asked), now, ...ofMany }, read);
  return askedAlike(db, JSON.stringify([...asked, Math.floor(now / 1000)]), read);
}

const nothing = sql`false`;

/** Condition on `markets`: in scope and not deleted. */
export function marketInScope(scope: Scope): SQL {
  return and(sql`${markets.deletedAt} is null`, everInScope(scope).markets) ?? nothing;
}

/** Condition on `vending_machines`: in scope and not deleted. */
export function machineInScope(scope: Scope): SQL {
  return and(sql`${vendingMachines.deletedAt} is null`, everInScope(scope).machines) ?? nothing;
}

/** Conditions on both kinds of location, deleted ones too: for what stays readable of them. */
export function everInScope(scope: Scope): { markets: SQL; machines: SQL } {
  if (scope.everything) return { markets: sql`true`, machines: sql`true` };
  return {
    markets: locationCondition(scope, markets, scope.marketIds),
    machines: locationCondition(scope, vendingMachines, scope.machineIds),
  };
}

type Locations = typeof markets | typeof vendingMachines;

function locationCondition(scope: { designation: string | null }, table: Locations, ids: number[]): SQL {
  const own = scope.designation ? eq(table.routeDesignation, scope.designation) : undefined;
  const assigned = ids.length ? inArray(table.id, ids) : undefined;
  return or(own, assigned) ?? nothing;
}

/** Condition on `routes`: of the own designation, or assigned to the person. */
export function routeInScope(scope: Scope): SQL {
  if (scope.everything) return sql`true`;
  const own = scope.designation ? eq(routes.routeDesignation, scope.designation) : undefined;
  return or(own, eq(routes.driverId, scope.userId)) ?? nothing;
}

/** True when a live notification may reach this person. */
export function maySee(scope: Scope, note: { routes: string[] | null; users: number[] }): boolean {
  if (scope.everything || note.routes === null) return true;
  if (note.users.includes(scope.userId)) return true;
  return scope.designation !== null && note.routes.includes(scope.designation);
}
