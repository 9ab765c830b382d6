import type { PlaceCount } from '../../contract/locations.ts';
import { locationKey } from '../../domain/place.ts';
import { mostLocations } from '../../domain/route-plan.ts';
import type { PlaceWish } from '../locations/find/places.ts';
import type { Exception } from '../route-planning/chosen-places.ts';
import type { Candidate } from '../route-planning/places/locations.ts';

export type PlannedPlace = Candidate;

/** Which locations are planned: those of routes, all or the needing ones, or those chosen on Route Planning; and exceptions. */
export type Choice = {
  scope: 'needing' | 'all' | 'chosen';
  off: ReadonlySet<string>;
  chosen: readonly PlannedPlace[];
  exceptions: readonly Exception[];
};

/** In their natural order. */
export function inOrder(counts: readonly PlaceCount[]): PlaceCount[] {
  return [...counts].sort((a, b) => a.designation.localeCompare(b.designation, 'en', { numeric: true }));
}

/** Everything is on, unless that is more than one plan can hold: then the routes to plan are chosen one by one. */
export function offAtFirst(counts: readonly PlaceCount[]): ReadonlySet<string> {
  const needing = counts.reduce((sum, one) => sum + one.needing, 0);
  return new Set(needing > mostLocations ? counts.map((one) => one.designation) : []);
}

/** The routes left out as the address keeps them, without those that are gone; null where it says nothing that can be read. */
export function offFromText(text: string | null, counts: readonly PlaceCount[]): ReadonlySet<string> | null {
  if (text === null) return null;
  try {
    const said: unknown = JSON.parse(text);
    const there = new Set(counts.map(({ designation }) => designation));
    return Array.isArray(said) ? new Set(said.filter((one) => there.has(one))) : null;
  } catch {
    return null;
  }
}

/** What is planned as the address keeps it; what was selected on Route Planning may be gone by now. */
export function scopeFrom(text: string | null, hasChosen: boolean): Choice['scope'] {
  if (text === 'needing' || text === 'all') return text;
  return hasChosen ? 'chosen' : 'needing';
}

const designationOf = ({ routeDesignation }: PlannedPlace): string => routeDesignation ?? '';

/** True where a location is planned without any exception. */
export function isIn(place: PlannedPlace, { scope, off, chosen }: Choice): boolean {
  if (scope === 'chosen') return chosen.some((one) => locationKey(one) === locationKey(place));
  if (off.has(designationOf(place)) || place.status === 'inactive') return false;
  return scope === 'all' || place.lowCount > 0;
}

/** Exceptions that change something: one that is planned anyway need not be added. */
function effective(choice: Choice): Exception[] {
  return choice.exceptions.filter(({ place, isLeftOut }) => isIn(place, choice) === isLeftOut);
}

export function countOfChoice(counts: readonly PlaceCount[], choice: Choice): number {
  const ofRoutes = counts
    .filter((one) => !choice.off.has(one.designation))
    .reduce((sum, one) => sum + (choice.scope === 'all' ? one.all : one.needing), 0);
  const planned = choice.scope === 'chosen' ? choice.chosen.length : ofRoutes;
  return effective(choice).reduce((sum, { isLeftOut }) => sum + (isLeftOut ? -1 : 1), planned);
}

/** The routes whose drivers are in from the start. */
export function designationsOf(counts: readonly PlaceCount[], choice: Choice): Set<string> {
  const added = effective(choice).flatMap(({ place, isLeftOut }) => (isLeftOut ? [] : [designationOf(place)]));
  if (choice.scope === 'chosen') return new Set([...choice.chosen.map(designationOf), ...added]);
  const on = counts.filter((one) => !choice.off.has(one.designation) && (choice.scope === 'all' || one.needing > 0));
  return new Set([...on.map((one) => one.designation), ...added]);
}

/** What to ask the server for; null: nothing, all of it is known here. */
export function wishOfChoice(counts: readonly PlaceCount[], { scope, off }: Choice): PlaceWish | null {
  const on = counts.map((one) => one.designation).filter((designation) => !off.has(designation));
  if (scope === 'chosen' || on.length === 0) return null;
  return {
    visited: 'true',
    ...(scope === 'needing' ? { low: 'true' } : {}),
    ...(on.length < counts.length ? { routes: JSON.stringify(on) } : {}),
  };
}

/** What is planned, once the locations of the routes are known. */
export function plannedOf(found: readonly PlannedPlace[], choice: Choice): PlannedPlace[] {
  const left = new Set(choice.exceptions.filter((one) => one.isLeftOut).map(({ place }) => locationKey(place)));
  const planned = new Map<string, PlannedPlace>();
  for (const place of choice.scope === 'chosen' ? choice.chosen : found) planned.set(locationKey(place), place);
  for (const { place, isLeftOut } of choice.exceptions) if (!isLeftOut) planned.set(locationKey(place), place);
  for (const key of left) planned.delete(key);
  return [...planned.values()];
}

/** The search gets longer with the plan: seconds for a day's routes, half a minute for a fleet. */
export function timeLimitMs(places: number): number {
  if (places <= 100) return 3_000;
  return places <= 400 ? 8_000 : 30_000;
}
