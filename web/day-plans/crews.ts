import type { Reply } from '../../contract/endpoint.ts';
import type { listRouteChoices } from '../../contract/routes.ts';
import { mostLocations } from '../../domain/route-plan.ts';
import { countOf, formatNumber } from '../http/format.ts';
import { operatorRules } from '../http/operator-rules.ts';

export type Choices = Reply<typeof listRouteChoices>;

/** A driver as the form shows it: times as the platform's time field has them. */
export type CrewDraft = {
  driverId: number;
  name: string;
  designation: string | null;
  isIn: boolean;
  vehicleId: number | null;
  start: string;
  end: string;
};

/** Everybody who may drive, each with a vehicle while there are any; those whose designation is planned are in. */
export function crewDrafts(choices: Choices, planned: ReadonlySet<string>): CrewDraft[] {
  const free = [...choices.vehicles];
  const known = choices.drivers.filter((driver) => driver.routeDesignation !== null);
  const drivers = known.length > 0 ? known : choices.drivers;
  return drivers.map((driver) => {
    const isIn = driver.routeDesignation === null || planned.has(driver.routeDesignation);
    return {
      driverId: driver.id,
      name: driver.name,
      designation: driver.routeDesignation,
      isIn,
      vehicleId: isIn ? (free.shift()?.id ?? null) : null,
      start: operatorRules().workStart,
      end: operatorRules().workEnd,
    };
  });
}

const digitsOf = (time: string): string => time.replace(':', '');
const timeOf = (digits: string): string => (digits === '' ? '' : `${digits.slice(0, 2)}:${digits.slice(2)}`);

/** Who is in, with what and when, as an address keeps it. */
export const crewsToText = (crews: readonly CrewDraft[]): string =>
  crews
    .filter((crew) => crew.isIn)
    .map(({ driverId, vehicleId, start, end }) => [driverId, vehicleId ?? '', digitsOf(start), digitsOf(end)].join('.'))
    .join();

/** The same read back into those who may drive and the vehicles there are by now; null where it speaks of none of them. */
export function crewsFromText(text: string | null, drafts: CrewDraft[], { vehicles }: Choices): CrewDraft[] | null {
  if (text === null) return null;
  const said = new Map(
    [...text.matchAll(/(\d+)\.(\d*)\.((?:\d{4})?)\.((?:\d{4})?)/g)].map((one) => [Number(one[1]), one]),
  );
  if (text !== '' && !drafts.some(({ driverId }) => said.has(driverId))) return null;
  return drafts.map((draft) => {
    const [, , vehicle, start, end] = said.get(draft.driverId) ?? [];
    if (start === undefined || end === undefined) return { ...draft, isIn: false, vehicleId: null };
    const vehicleId = vehicles.find(({ id }) => String(id) === vehicle)?.id ?? null;
    return { ...draft, isIn: true, vehicleId, start: timeOf(start), end: timeOf(end) };
  });
}

/** Minutes since midnight of a time field; null while it is empty. */
export function minutesOf(time: string): number | null {
  const [hours, minutes] = time.split(':').map(Number);
  return hours === undefined || minutes === undefined || Number.isNaN(hours + minutes) ? null : hours * 60 + minutes;
}

/** Whether a shift goes on past midnight: its end is earlier on the clock than its start. */
export function endsNextDay({ start, end }: Pick<CrewDraft, 'start' | 'end'>): boolean {
  const [from, to] = [minutesOf(start), minutesOf(end)];
  return from !== null && to !== null && to < from;
}

/** What the plan means for drivers who have routes on its day already; null when there are none. */
export function takenText(drivers: readonly CrewDraft[], taken: ReadonlyMap<number, number>): string | null {
  const [first, ...others] = drivers.filter(({ driverId }) => taken.has(driverId));
  if (!first) return null;
  const more = others.length === 0 ? ' has' : ` and ${others.length} other${others.length === 1 ? '' : 's'} have`;
  return `${first.name}${more} a route on this day already. This plan adds another one.`;
}

/** That nothing limits what a route carries whose driver has no vehicle; null where there are none to have. */
export function withoutVehicleText(drivers: readonly CrewDraft[], vehicles: number): string | null {
  const [first, ...others] = drivers.filter(({ vehicleId }) => vehicleId === null);
  if (!first || vehicles === 0) return null;
  return others.length === 0
    ? `${first.name} has no vehicle: whether the totes of that route fit is not checked.`
    : `${first.name} and ${countOf(others.length, 'other')} have no vehicle: whether the totes of those routes fit is not checked.`;
}

/** What keeps the form from being sent; null when nothing does. */
export function refusalOf(crews: readonly CrewDraft[], places: number): string | null {
  const on = crews.filter((crew) => crew.isIn);
  if (places === 0) return 'Please select at least one market or vending machine to plan.';
  if (places > mostLocations) {
    return `Choose at most ${formatNumber(mostLocations)} locations at a time: leave out some routes.`;
  }
  if (on.length === 0) return 'Choose at least one driver';
  const unset = on.find((crew) => minutesOf(crew.start) === null || minutesOf(crew.end) === null);
  if (unset) return `Give ${unset.name} a start and an end of the shift.`;
  const empty = on.find((crew) => minutesOf(crew.start) === minutesOf(crew.end));
  if (empty) return `The shift of ${empty.name} ends at the minute it starts.`;
  const vehicles = on.flatMap((crew) => crew.vehicleId ?? []);
  const twice = vehicles.find((vehicle, index) => vehicles.indexOf(vehicle) !== index);
  const second = on.filter((crew) => crew.vehicleId === twice)[1];
  return twice !== undefined && second
    ? `${second.name} has a vehicle that another driver has. Choose another one.`
    : null;
}
