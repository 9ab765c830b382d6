import { and, eq, inArray } from 'drizzle-orm';
import type { PickLine, PickRoute, PickSheet, PickStop } from '../../contract/picking.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import { locationKey } from '../../domain/location.ts';
import { type PickInput, packTotes } from '../../domain/picking.ts';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import { locationNeeds, toLoad } from '../need/service.ts';
import { products } from '../products/tables.ts';
import { routes } from '../route-planning/tables.ts';
import { routeInScope, scopeOf } from '../scope/service.ts';
import { today } from '../settings/service.ts';
import {
  deleteUntouched,
  findLines,
  findPickRoutes,
  findPictures,
  findReturns,
  findSheet,
  findStopsToPick,
  insertLines,
  type LineRow,
  type StopToPick,
  updateLines,
  updateState,
  upsertSheet,
} from './queries.ts';

/** The routes of a day that the person may see; without a day those of the operator's today. */
export async function listPickRoutesOf(deps: Deps, caller: Caller, date: string | undefined) {
  const day = date ?? (await today(deps.db, deps.clock));
  const scope = await scopeOf(deps, caller);
  const condition = and(routeInScope(scope), eq(routes.date, day)) ?? eq(routes.id, -1);
  return { date: day, routes: await findPickRoutes(deps.db, condition) };
}

/** A route's list: as it is being picked, or from what is needed now while picking has not begun. */
export async function pickSheetOf(deps: Deps, caller: Caller, routeId: number): Promise<PickSheet> {
  return sheetOf(deps, caller, await routeOf(deps, caller, routeId));
}

/** Begins picking; later it calculates anew the stops of which nothing is picked, and takes in stops added since. */
export async function prepareSheet(deps: Deps, caller: Caller, routeId: number): Promise<PickSheet> {
  const route = await routeOf(deps, caller, routeId);
  const stops = await findStopsToPick(deps.db, routeId);
  const needed = await neededLines(deps, stops, route.date);
  const at = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    const sheet = await findSheet(tx, routeId, true);
    if (sheet?.finishedAt) throw finished();
    await upsertSheet(tx, { routeId, stopIds: stops.map(({ stopId }) => stopId), at, by: caller.userId });
    const before = await findLines(tx, routeId);
    await deleteUntouched(tx, routeId);
    const touched = new Set((await findLines(tx, routeId)).map(({ stopId }) => stopId));
    const fresh = needed.filter(({ stopId }) => !touched.has(stopId));
    await insertLines(
      tx,
      numbered(fresh, before).map((line) => ({ ...line, routeId })),
    );
    await tell(tx, route);
  });
  return pickSheetOf(deps, caller, routeId);
}

/**
 * The lines as they are written. Those of a stop that asks for the same things as before keep their numbers, so a tick that is
 * on its way meanwhile still finds its line. Any other stop is numbered anew: its lines are read in the order of their numbers.
 */
function numbered(wanted: readonly StopLine[], before: readonly LineRow[]) {
  const idsOf = (stopId: number): readonly number[] => {
    const old = before.filter((row) => row.stopId === stopId);
    const now = wanted.filter((one) => one.stopId === stopId).map(({ line }) => keyOf(line));
    return old.map(keyOf).join() === now.join() ? old.map(({ lineId }) => lineId) : [];
  };
  const ids = new Map([...new Set(wanted.map(({ stopId }) => stopId))].map((stopId) => [stopId, [...idsOf(stopId)]]));
  return wanted.map(({ stopId, line: { lineId: _lineId, instead: _instead, ...line } }) => {
    const id = ids.get(stopId)?.shift();
    return { ...line, stopId, ...(id === undefined ? {} : { id }) };
  });
}

const keyOf = ({ itemType, itemId }: Pick<LineRow, 'itemType' | 'itemId'>): string => `${itemType}:${itemId}`;

/** Writes what was picked. Refuses less than asked for without a reason, and lines of another list. */
export async function recordPicksOf(
  deps: Deps,
  caller: Caller,
  routeId: number,
  picks: readonly PickInput[],
): Promise<PickSheet> {
  const route = await routeOf(deps, caller, routeId);
  await deps.db.transaction(async (tx) => {
    const sheet = await findSheet(tx, routeId, true);
    if (!sheet) throw new AppError('conflict', 'Picking of this route has not begun. Start picking first.');
    if (sheet.finishedAt) throw finished();
    const lines = new Map((await findLines(tx, routeId)).map((line) => [line.lineId, line]));
    for (const pick of picks) checkPick(pick, lines.get(pick.lineId));
    await checkSubstitutes(tx, picks);
    const written = picks.map(({ lineId, picked, reason, insteadId, insteadUnits }) => ({
      lineId,
      picked,
      reason: reason ?? null,
      insteadId: insteadId ?? null,
      insteadUnits: insteadUnits ?? null,
    }));
    await updateLines(tx, routeId, { picks: written, at: deps.clock.now(), by: caller.userId });
    await tell(tx, route);
  });
  return pickSheetOf(deps, caller, routeId);
}

function checkPick(pick: PickInput, line: LineRow | undefined): void {
  if (!line) {
    throw new AppError('conflict', 'The list was calculated anew meanwhile. Look at it again before you go on.');
  }
  if (pick.picked !== null && pick.picked < line.planned && !pick.reason) {
    throw new AppError('invalid-input', `Say why less than ${line.planned} of ${line.productName} were picked.`, {
      fields: { reason: 'Say why less was picked' },
    });
  }
}

async function checkSubstitutes(tx: Db, picks: readonly PickInput[]): Promise<void> {
  const ids = [...new Set(picks.flatMap(({ insteadId }) => insteadId ?? []))];
  if (ids.length === 0) return;
  const known = await tx.select({ id: products.id }).from(products).where(inArray(products.id, ids));
  if (known.length < ids.length) {
    throw new AppError('invalid-input', 'The substitute is not in the catalogue. Choose another product.', {
      fields: { insteadId: 'Choose a product of the catalogue' },
    });
  }
}

/** Finishes, checks or opens a list again. Whoever picked cannot be the one who checks. */
export async function setStateOf(
  deps: Deps,
  caller: Caller,
  routeId: number,
  state: 'picked' | 'checked' | 'picking',
): Promise<PickSheet> {
  const route = await routeOf(deps, caller, routeId);
  await deps.db.transaction(async (tx) => {
    const sheet = await findSheet(tx, routeId, true);
    if (!sheet) throw new AppError('conflict', 'Picking of this route has not begun. Start picking first.');
    if (state === 'picked') await requireDone(tx, routeId);
    if (state === 'checked') requireSecondPerson(sheet, caller);
    await updateState(tx, routeId, { state, at: deps.clock.now(), by: caller.userId });
    await recordAudit(tx, caller, { action: `picking.${state}`, objectType: 'route', objectId: routeId });
    await tell(tx, route);
  });
  return pickSheetOf(deps, caller, routeId);
}

async function requireDone(tx: Db, routeId: number): Promise<void> {
  const open = (await findLines(tx, routeId)).filter(({ picked }) => picked === null).length;
  if (open === 0) return;
  const what = open === 1 ? '1 line is' : `${open} lines are`;
  throw new AppError('conflict', `${what} not picked yet. Pick them, or say that nothing was there.`);
}

function requireSecondPerson(sheet: { finishedAt: string | null; finishedById: number | null }, caller: Caller): void {
  if (!sheet.finishedAt) throw new AppError('conflict', 'Finish picking first; then a second person checks a sample.');
  if (sheet.finishedById === caller.userId) {
    throw new AppError('conflict', 'A second person checks what was picked: ask someone else to sign in and do it.');
  }
}

const finished = () => new AppError('conflict', 'This list is finished. Open it again to change it.');

async function routeOf(deps: Deps, caller: Caller, routeId: number): Promise<PickRoute> {
  const scope = await scopeOf(deps, caller);
  const [route] = await findPickRoutes(deps.db, and(routeInScope(scope), eq(routes.id, routeId)) ?? eq(routes.id, -1));
  if (!route) throw notFound('route');
  return route;
}

async function sheetOf(deps: Deps, caller: Caller, route: PickRoute): Promise<PickSheet> {
  const { db } = deps;
  const sheet = await findSheet(db, route.routeId);
  const stops = await findStopsToPick(db, route.routeId);
  const lines = sheet
    ? (await findLines(db, route.routeId)).map((row) => ({ stopId: row.stopId, line: toLine(row) }))
    : await neededLines(deps, stops, route.date);
  const madeFor = new Set(sheet?.stopIds ?? stops.map(({ stopId }) => stopId));
  return {
    route,
    madeAt: sheet?.madeAt ?? deps.clock.now().toISOString(),
    finishedAt: sheet?.finishedAt ?? null,
    finishedBy: sheet?.finishedBy ?? null,
    checkedAt: sheet?.checkedAt ?? null,
    checkedBy: sheet?.checkedBy ?? null,
    mayCheck: Boolean(sheet?.finishedAt) && sheet?.finishedById !== caller.userId,
    stops: stops.map((stop): PickStop => {
      const own = lines.flatMap(({ stopId, line }) =>
        stopId === stop.stopId ? [{ ...line, units: line.planned }] : [],
      );
      const totes = packTotes(own).map((tote) => ({
        ...tote,
        lines: tote.lines.map(({ units: _units, ...line }) => line),
      }));
      return { ...stop, isNew: !madeFor.has(stop.stopId), totes };
    }),
    cameBack: await findReturns(db, route.routeId),
  };
}

type StopLine = { stopId: number; line: PickLine };

/** What every stop needs on the day, as lines that nobody has picked. */
async function neededLines(deps: Deps, stops: readonly StopToPick[], date: string): Promise<StopLine[]> {
  const places = stops.map(({ type, locationId, name }) => ({ type, id: locationId, name }));
  const needs = new Map((await locationNeeds(deps, places, date)).map((one) => [locationKey(one.need), one.items]));
  const wanted = stops.flatMap((stop) =>
    (needs.get(locationKey({ type: stop.type, id: stop.locationId })) ?? []).flatMap((item) =>
      toLoad(item).map((load) => ({ stopId: stop.stopId, row: item.row, load })),
    ),
  );
  const pictures = await findPictures(deps.db, [...new Set(wanted.flatMap(({ row }) => row.productId ?? []))]);
  return wanted.map(({ stopId, row, load }) => ({
    stopId,
    line: {
      lineId: null,
      itemType: row.itemType,
      itemId: row.id,
      productId: row.productId,
      productName: row.productName,
      slotNumber: row.slotNumber,
      picture: pictures.get(row.productId ?? 0) ?? null,
      handling: load.handling,
      caseSize: row.caseSize,
      planned: load.units,
      picked: null,
      reason: null,
      instead: null,
    },
  }));
}

function toLine({ stopId: _stopId, insteadId, insteadName, insteadUnits, ...row }: LineRow): PickLine {
  const instead =
    insteadId !== null && insteadUnits !== null
      ? { productId: insteadId, name: insteadName ?? 'A removed product', units: insteadUnits }
      : null;
  return { ...row, instead };
}

async function tell(tx: Db, { routeDesignation }: PickRoute): Promise<void> {
  await publish(tx, { topic: 'routes', routes: routeDesignation ? [routeDesignation] : [] });
}
