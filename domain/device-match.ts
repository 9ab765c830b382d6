import type { LocationType } from './location.ts';
import { distanceKm, hasPosition, toPoint } from './place.ts';

/** A place of ours, as matching needs it. */
export type OwnPlace = {
  type: LocationType;
  id: number;
  integrationId: string | null;
  machineNumber: string | null;
  serialNumber: string | null;
  name: string;
  city: string | null;
  latitude: string;
  longitude: string;
  /** Another device of the same configuration is linked to it. */
  isTaken: boolean;
};

export type Told = {
  locationType: LocationType;
  integrationId: string | null;
  machineNumber: string | null;
  serialNumber: string | null;
  name: string;
  city: string | null;
  latitude: string | null;
  longitude: string | null;
};

export type Match =
  | { kind: 'linked'; place: OwnPlace; reason: string }
  /** Looks like one of ours, or cannot be placed: a person decides. */
  | { kind: 'unsure'; reason: string; candidates: OwnPlace[] }
  /** Nothing of ours is like it, and it says where it is. */
  | { kind: 'new' };

/** Two machines of one operator stand closer than this only side by side. */
const nearKm = 0.1;

/** A name for comparing: case, accents, blanks and signs do not count. */
export const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const same = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && a.trim() !== '' && a.trim().toLowerCase() === b.trim().toLowerCase();

/**
 * Finds the place of ours that a partner's device is: by its integration id, by the operator's own machine number, by its
 * serial number; name and position only make a suggestion, because two kiosks of one chain are alike in both.
 */
export function matchDevice(told: Told, places: readonly OwnPlace[]): Match {
  const own = places.filter((place) => place.type === told.locationType);
  const byId = own.find((place) => told.integrationId !== null && place.integrationId === told.integrationId);
  if (byId) return { kind: 'linked', place: byId, reason: 'Same integration ID' };
  const rules = [
    { reason: 'Same machine number', found: own.filter((place) => same(place.machineNumber, told.machineNumber)) },
    { reason: 'Same serial number', found: own.filter((place) => same(place.serialNumber, told.serialNumber)) },
  ];
  for (const { reason, found } of rules) {
    const [place] = found;
    if (!place) continue;
    if (found.length === 1 && !place.isTaken) return { kind: 'linked', place, reason };
    const why =
      found.length > 1 ? `${reason} as ${found.length} places of ours` : `${reason} as a place that is linked`;
    return { kind: 'unsure', reason: why, candidates: found };
  }
  const alike = own.filter((place) => !place.isTaken && isAlike(told, place));
  if (alike.length > 0) return { kind: 'unsure', reason: whyAlike(told, alike), candidates: alike };
  if (!hasPosition(told)) return { kind: 'unsure', reason: 'It does not say where it is', candidates: [] };
  return { kind: 'new' };
}

function isAlike(told: Told, place: OwnPlace): boolean {
  return hasLikeName(told, place) || isNear(told, place);
}

function hasLikeName(told: Told, place: OwnPlace): boolean {
  const name = plainName(told.name);
  return name !== '' && name === plainName(place.name) && (!told.city || !place.city || same(told.city, place.city));
}

function isNear(told: Told, place: OwnPlace): boolean {
  if (!hasPosition(told)) return false;
  const [latitude, longitude] = [Number(told.latitude), Number(told.longitude)];
  if (Math.abs(latitude - Number(place.latitude)) > 0.002) return false;
  return distanceKm({ lat: latitude, lng: longitude }, toPoint(place)) <= nearKm;
}

function whyAlike(told: Told, alike: readonly OwnPlace[]): string {
  const [first] = alike;
  const what = first && hasLikeName(told, first) ? 'Same name as' : 'At the same address as';
  return alike.length === 1 ? `${what} ${first?.name}` : `${what} ${alike.length} places of ours`;
}

type Asked = Pick<Told, 'locationType' | 'machineNumber' | 'serialNumber' | 'name' | 'city' | 'latitude' | 'longitude'>;

/** Places of ours that a device may be, the likeliest first; none that has nothing in common with it. */
export function rankPlaces(told: Asked, places: readonly OwnPlace[]): OwnPlace[] {
  return places
    .filter((place) => place.type === told.locationType)
    .map((place) => ({ place, score: likeness({ ...told, integrationId: null }, place) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.place.id - b.place.id)
    .map(({ place }) => place);
}

function likeness(told: Told, place: OwnPlace): number {
  let score = 0;
  if (same(place.machineNumber, told.machineNumber)) score += 8;
  if (same(place.serialNumber, told.serialNumber)) score += 8;
  if (hasLikeName(told, place)) score += 4;
  else if (sharesWord(told.name, place.name)) score += 1;
  if (isNear(told, place)) score += 3;
  if (same(place.city, told.city) && score > 0) score += 1;
  return place.isTaken ? score / 4 : score;
}

const wordsOf = (name: string): string[] =>
  plainName(name)
    .split(' ')
    .filter((word) => word.length > 3);

const sharesWord = (a: string, b: string): boolean => wordsOf(a).some((word) => wordsOf(b).includes(word));
