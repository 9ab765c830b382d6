import type { Reply } from '../../contract/endpoint.ts';
import type * as contract from '../../contract/visits.ts';
import type { Visit } from '../../contract/visits.ts';
import { notFound } from '../../domain/errors.ts';
import { photoDays, type VisitEvent, visitLine } from '../../domain/field-event.ts';
import { reason } from '../../domain/inventory.ts';
import type { LocationRef } from '../../domain/location.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import { findLocations } from '../route-planning/service.ts';
import { everInScope, scopeOf } from '../scope/service.ts';
import { getOperator } from '../settings/service.ts';
import {
  countVisits,
  deletePhotosBefore,
  findVisitMovements,
  findVisits,
  forgetPositionsBefore,
  type MovementRow,
  upsertVisits,
  type VisitRow,
} from './queries.ts';

export type SavedVisit = {
  event: VisitEvent;
  actorId: number;
  deviceId: string;
  openedAt: Date;
  closedAt: Date | null;
};

/** Stores what drivers noted of their visits, in the transaction that takes in their events. */
export async function saveVisits(tx: Db, saved: readonly SavedVisit[]): Promise<void> {
  if (saved.length === 0) return;
  // One statement writes a row once: of several states of a visit in a batch the newest counts.
  const newest = new Map<string, SavedVisit>();
  for (const one of saved) {
    const known = newest.get(one.event.visitId);
    if (!known || known.event.deviceSeq < one.event.deviceSeq) newest.set(one.event.visitId, one);
  }
  await upsertVisits(tx, [...newest.values()].map(toRow));
  await tellOffice(tx);
}

/** A history of visits on an office screen is read again. */
export async function tellOffice(tx: Db): Promise<void> {
  await publish(tx, { topic: 'stock', routes: [] });
}

function toRow({ event, actorId, deviceId, openedAt, closedAt }: SavedVisit) {
  const { location, position } = event;
  return {
    id: event.visitId,
    marketId: location.type === 'market' ? location.id : null,
    vendingMachineId: location.type === 'vending_machine' ? location.id : null,
    routeId: event.routeId,
    stopId: event.stopId,
    actorId,
    deviceId,
    deviceSeq: event.deviceSeq,
    openedAt: openedAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
    note: event.note,
    bagNumber: event.bagNumber,
    refunds: event.refunds,
    photoIds: event.photoIds,
    latitude: position ? rounded(position.latitude) : null,
    longitude: position ? rounded(position.longitude) : null,
  };
}

const rounded = (degrees: number): number => Math.round(degrees * 1000) / 1000;

type Page = { before: string | null; limit: number };

/** The history of visits of a location in scope, deleted or not, each with the five numbers of every item touched. */
export async function listVisits(
  deps: Deps,
  caller: Caller,
  ref: LocationRef,
  page: Page,
): Promise<Reply<typeof contract.listVisits>> {
  const [place] = await findLocations(deps.db, [ref], everInScope(await scopeOf(deps, caller)));
  if (!place) throw notFound('location');
  const found = await findVisits(deps.db, ref, { ...page, limit: page.limit + 1 });
  const shown = found.slice(0, page.limit);
  const movements = await findVisitMovements(
    deps.db,
    shown.map((visit) => visit.id),
  );
  const byVisit = grouped(movements);
  const total = await countVisits(deps.db, ref);
  const { currency } = await getOperator(deps.db);
  const visits = shown.map((visit) => toVisit(visit, byVisit.get(visit.id) ?? []));
  return { visits, more: found.length > page.limit, total, currency };
}

function grouped(movements: readonly MovementRow[]): Map<string, MovementRow[]> {
  const groups = new Map<string, MovementRow[]>();
  for (const movement of movements) groups.set(movement.visitId, [...(groups.get(movement.visitId) ?? []), movement]);
  return groups;
}

function toVisit(row: VisitRow, movements: readonly MovementRow[]): Visit {
  const { openedAt, closedAt } = row;
  const minutes = closedAt ? Math.max(0, Math.round((Date.parse(closedAt) - Date.parse(openedAt)) / 60_000)) : null;
  const items = new Map<string, MovementRow[]>();
  for (const movement of movements) {
    const key = `${movement.itemType}:${movement.itemId}`;
    items.set(key, [...(items.get(key) ?? []), movement]);
  }
  return {
    id: row.id,
    type: row.marketId === null ? 'vending_machine' : 'market',
    locationId: row.marketId ?? row.vendingMachineId ?? 0,
    routeId: row.routeId,
    stopId: row.stopId,
    personName: row.personName,
    openedAt,
    closedAt,
    minutes,
    note: row.note,
    bagNumber: row.bagNumber,
    refunds: row.refunds,
    photos: row.photos,
    latitude: row.latitude,
    longitude: row.longitude,
    lines: [...items.values()].flatMap(toLine).sort(bySlot),
  };
}

/** An item whose product was changed during the visit goes by what was put in last. */
function toLine(movements: readonly MovementRow[]): Visit['lines'] {
  const last = movements.at(-1);
  if (!last) return [];
  const { itemType, itemId, productName, slotNumber } = last;
  const given = movements.flatMap(({ reason: said }) => reason.safeParse(said).data ?? []);
  const reasons = [...new Set(given)];
  return [{ itemType, itemId, productName, slotNumber, ...visitLine(movements), reasons }];
}

function bySlot(a: Visit['lines'][number], b: Visit['lines'][number]): number {
  const [here, there] = [a.slotNumber ?? '', b.slotNumber ?? ''];
  return here.localeCompare(there, 'en', { numeric: true }) || a.productName.localeCompare(b.productName);
}

/** Where a visit was is kept for this long, days. */
const positionDays = 90;

/** Throws away old photos, and forgets where older visits were; part of the nightly cleaning. */
export async function purgeVisits(deps: Deps): Promise<void> {
  const daysAgo = (days: number): Date => new Date(deps.clock.now().getTime() - days * 24 * 3_600_000);
  await deletePhotosBefore(deps.db, daysAgo(photoDays));
  await forgetPositionsBefore(deps.db, daysAgo(positionDays));
}
