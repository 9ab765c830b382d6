import { and, eq } from 'drizzle-orm';
import type { PickedStop, PickList } from '../../contract/need.ts';
import { notFound } from '../../domain/errors.ts';
import { type LocationRef, locationKey } from '../../domain/location.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { routes } from '../route-planning/tables.ts';
import { machineInScope, marketInScope, routeInScope, scopeOf } from '../scope/service.ts';
import { findLastNotes, findPacked, findPickStops, findPlaces } from './queries.ts';
import { locationNeeds, type Needed } from './service.ts';

/** What to bring to each stop of a route in scope on its day, and why it is in the plan. Unknown routes are refused. */
export async function pickListOf(deps: Deps, caller: Caller, routeId: number): Promise<PickList> {
  const { db } = deps;
  const scope = await scopeOf(deps, caller);
  const stops = await findPickStops(db, and(routeInScope(scope), eq(routes.id, routeId)) ?? eq(routes.id, -1));
  const [first] = stops;
  if (!first) throw notFound('route');
  const placed = stops.flatMap(({ stopId, type, locationId }) =>
    type && locationId ? [{ stopId, ref: { type, id: locationId } satisfies LocationRef }] : [],
  );
  const refs = placed.map(({ ref }) => ref);
  const places = await findPlaces(db, refs, { markets: marketInScope(scope), machines: machineInScope(scope) });
  const needs = new Map(
    (await locationNeeds(deps, places, first.date)).map((one) => [locationKey(one.need), one] as const),
  );
  const packed = await findPacked(db, routeId);
  const notes = new Map((await findLastNotes(db, places)).map((note) => [locationKey(note), note] as const));
  return {
    routeId,
    madeAt: deps.clock.now().toISOString(),
    stops: placed.flatMap(({ stopId, ref }) => {
      const found = needs.get(locationKey(ref));
      if (!found) return [];
      const note = notes.get(locationKey(ref));
      const items = packed
        ? packed.filter((line) => line.stopId === stopId).map(({ stopId: _stopId, ...item }) => item)
        : neededItems(found);
      return [
        {
          stopId,
          why: found.need.why,
          units: items.reduce((sum, item) => sum + item.fill, 0),
          lastNote: note ? { at: note.at, text: note.text } : null,
          items,
        },
      ];
    }),
  };
}

function neededItems({ items }: Needed): PickedStop['items'] {
  return items.flatMap(({ row: { itemType, id, productName, slotNumber }, need: { fill } }) =>
    fill > 0 ? [{ itemType, id, productName, slotNumber, fill }] : [],
  );
}
