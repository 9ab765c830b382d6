import { hash } from '../../simulator/random.ts';
import type { Fleet, Place } from '../fleet.ts';

/** A record of Lynx as it goes out. */
export type Out = Record<string, unknown>;

export const operatorActorId = 2_000_100_001;
const firstRouteActorId = 2_000_200_000;
const firstMachineId = 942_000_000;
const firstDeviceId = 25_000_000;

export const machineIdOf = (place: Place): number => firstMachineId + place.site.id;
export const deviceIdOf = (place: Place): number => firstDeviceId + place.site.id;
export const deviceSerialOf = (place: Place): string => `0434${String(place.site.id).padStart(12, '0')}`;

const routesOf = new WeakMap<Fleet, Map<string, number>>();

/** The actor of each driver's route in the operator's hierarchy, by designation. */
export function routeActors(fleet: Fleet): ReadonlyMap<string, number> {
  const known = routesOf.get(fleet);
  if (known) return known;
  const names = [...new Set(fleet.machines.map((one) => one.site.designation))].sort();
  const actors = new Map(names.map((name, index) => [name, firstRouteActorId + index]));
  routesOf.set(fleet, actors);
  return actors;
}

export function routeActorOf(fleet: Fleet, place: Place): number {
  return routeActors(fleet).get(place.site.designation) ?? operatorActorId;
}

/** Numbers of 64 bits, which JSON writes without quotes and JavaScript cannot hold. */
export const bigNumber = (value: bigint): string => `#big:${value}#`;

export function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"#big:(\d+)#"/g, '$1');
}

/** An instant as Lynx writes it: without a zone and with none, two, three or seven digits of a fraction, or with a Z. */
export function timeText(at: Date, ...mark: number[]): string {
  const [whole = ''] = at.toISOString().split('.');
  const ms = String(at.getUTCMilliseconds()).padStart(3, '0');
  const forms = [whole, `${whole}.${ms.slice(0, 2)}`, `${whole}.${ms}`, `${whole}.${ms}0000`, `${whole}.${ms}Z`];
  return forms[hash(at.getTime() % 1_000_003, ...mark) % forms.length] ?? whole;
}

const wrongByHours: Readonly<Record<number, number>> = { 3: 7, 5: -3 };

/** What the machine's own clock says: mostly right, some hours off, and some were never set. */
export function machineClock(place: Place, at: Date): string {
  const kind = place.site.id % 23;
  const offHours = wrongByHours[kind] ?? 0;
  const told = kind === 9 ? new Date(Date.UTC(2000, 0, 1, at.getUTCHours(), at.getUTCMinutes())) : at;
  const local = new Date(told.getTime() + (offHours - 5) * 3_600_000);
  return local.toISOString().slice(0, -1);
}
