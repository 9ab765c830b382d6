import type { Exception } from '../../contract/dashboard.ts';
import {
  lateSeverity,
  partnerSeverity,
  silentPhoneSeverity,
  soldOutSeverity,
  spanText,
  worstFirst,
} from '../../domain/exception.ts';
import { readAlertSettings } from '../alerts/service.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { findFailing } from '../integrations/service.ts';
import { machineInScope, marketInScope, routeInScope, type Scope, scopeOf } from '../scope/service.ts';
import { getOperator, today } from '../settings/service.ts';
import { findSilentPhones } from '../sync/service.ts';
import { waitsForPerson } from '../vendor-sync/service.ts';
import {
  findCountConflicts,
  findHeldEvents,
  findLateRoutes,
  findSevereAlerts,
  findSilentMachines,
  findSoldOutMachines,
} from './exception-queries.ts';
import { soldOutCount } from './sold-out-count.ts';

const listedAtMost = 50;
const minuteMs = 60_000;

type Part = { total: number; rows: Exception[] };

/** What needs a person now, worst first, and how many there are in all. */
export async function listExceptions(deps: Deps, caller: Caller): Promise<Part> {
  const scope = await scopeOf(deps, caller);
  const parts = await Promise.all([
    late(deps, scope),
    silent(deps, scope),
    soldOut(deps, scope),
    severeAlerts(deps, scope),
    countConflicts(deps, scope),
    refused(deps, scope),
    silentPhones(deps, scope),
    failingPartners(deps, scope),
  ]);
  const all = parts.flatMap((part) => part.rows).sort(worstFirst);
  return { total: parts.reduce((sum, part) => sum + part.total, 0), rows: all.slice(0, listedAtMost) };
}

type Row = {
  id: number | string;
  place: string | null;
  marketId: number | null;
  machineId: number | null;
  routeDesignation: string | null;
  since: string;
  total: number;
};

function part<T extends Row>(
  kind: Exception['kind'],
  found: readonly T[],
  say: (row: T, since: Date) => Pick<Exception, 'severity' | 'message'>,
): Part {
  const rows = found.map((row) => {
    const since = new Date(row.since);
    return {
      key: `${kind}:${row.id}`,
      kind,
      ...say(row, since),
      place: row.place ?? 'Unknown place',
      location: locationOf(row),
      routeDesignation: row.routeDesignation,
      since: since.toISOString(),
    };
  });
  return { total: found[0]?.total ?? 0, rows };
}

function locationOf({ marketId, machineId }: Row): Exception['location'] {
  if (marketId !== null) return { type: 'market', id: marketId };
  return machineId === null ? null : { type: 'vending_machine', id: machineId };
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

async function late(deps: Deps, scope: Scope): Promise<Part> {
  const now = deps.clock.now().getTime();
  const { lateAfterMin } = await getOperator(deps.db);
  const before = new Date(now - lateAfterMin * minuteMs);
  const day = await today(deps.db, deps.clock);
  const found = await findLateRoutes(deps.db, routeInScope(scope), { before, day, limit: listedAtMost });
  return part('late', found, (row, since) => {
    const lateMin = (now - since.getTime()) / minuteMs;
    return {
      severity: lateSeverity(lateMin),
      message: `${spanText(lateMin)} late, ${count(row.waiting, 'stop')} waiting`,
    };
  });
}

async function silent(deps: Deps, scope: Scope): Promise<Part> {
  const now = deps.clock.now().getTime();
  // One threshold and one severity for the alert and for what needs a person now.
  const { limit, severity } = (await readAlertSettings(deps.db)).rules.silent;
  const before = new Date(now - limit * 60 * minuteMs);
  const found = await findSilentMachines(deps.db, machineInScope(scope), { before, limit: listedAtMost });
  return part('silent', found, (_row, since) => ({
    severity,
    message: `Not heard of for ${spanText((now - since.getTime()) / minuteMs)}`,
  }));
}

async function soldOut(deps: Deps, scope: Scope): Promise<Part> {
  const [worst, total] = await Promise.all([
    findSoldOutMachines(deps.db, machineInScope(scope), listedAtMost),
    soldOutCount(deps, scope),
  ]);
  const found = worst.map((row) => ({ ...row, total: Math.max(total, worst.length) }));
  return part('sold-out', found, (row) => ({
    severity: soldOutSeverity(row.slots),
    message: `${count(row.slots, 'slot')} sold out`,
  }));
}

async function severeAlerts(deps: Deps, scope: Scope): Promise<Part> {
  const found = await findSevereAlerts(deps.db, machineInScope(scope), listedAtMost);
  return part('alert', found, ({ severity, message }) => ({ severity, message }));
}

async function countConflicts(deps: Deps, scope: Scope): Promise<Part> {
  const inScope = { market: marketInScope(scope), machine: machineInScope(scope) };
  const found = await findCountConflicts(deps.db, inScope, listedAtMost);
  return part('count-conflict', found, (row) => ({
    severity: 'medium',
    message: `${row.productName}: counted as ${row.first} and as ${row.second} within half an hour`,
  }));
}

async function refused(deps: Deps, scope: Scope): Promise<Part> {
  const found = await findHeldEvents(deps.db, scope.everything ? null : scope.userId, listedAtMost);
  return part('refused', found, (row) => ({
    severity: 'high',
    message: row.productName ? `${row.productName}: ${row.reason}` : row.reason,
  }));
}

/** The managers' business: a driver whose phone is in order knows nothing of it. */
async function silentPhones(deps: Deps, scope: Scope): Promise<Part> {
  if (!scope.everything) return { total: 0, rows: [] };
  const now = deps.clock.now().getTime();
  const found = await findSilentPhones(deps);
  const rows = found.slice(0, listedAtMost).map((phone) => ({
    ...{ id: phone.deviceId, place: phone.person, since: phone.contactAt },
    ...{ marketId: null, machineId: null, routeDesignation: phone.routeDesignation, total: found.length },
  }));
  return part('silent-phone', rows, (_row, since) => {
    const silentMin = (now - since.getTime()) / minuteMs;
    return {
      severity: silentPhoneSeverity(silentMin / 60),
      message: `Phone not heard of for ${spanText(silentMin)}: it may hold unsent changes`,
    };
  });
}

/** Whoever plans by figures that stopped coming should know. */
async function failingPartners(deps: Deps, scope: Scope): Promise<Part> {
  if (!scope.everything) return { total: 0, rows: [] };
  const now = deps.clock.now().getTime();
  const found = await findFailing(deps);
  const rows = found.slice(0, listedAtMost).map(({ name, since, ...one }) => ({
    ...{ ...one, place: name, since: since.toISOString(), total: found.length },
    ...{ marketId: null, machineId: null, routeDesignation: null },
  }));
  return part('partner', rows, ({ problem, failure }, since) => ({
    severity: partnerSeverity((now - since.getTime()) / (60 * minuteMs), waitsForPerson(failure)),
    message: problem,
  }));
}
