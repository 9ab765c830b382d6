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

const bare = (text: string | null): string => text?.trim().toLowerCase() ?? '';
const same = (a: string | null, b: string | null): boolean => bare(a) !== '' && bare(a) === bare(b);

const longWords = (name: string): Set<string> => new Set(name.split(' ').filter((word) => word.length > 3));

/** A place with its name read: that takes long enough to do it once. */
type ReadPlace = { place: OwnPlace; name: string; words: ReadonlySet<string> };

/** Our places by each of what may tell which one a device is: a large operator has too many to compare each device with all. */
export type PlaceIndex = ReadonlyMap<string, readonly ReadPlace[]>;

type Key = 'id' | 'number' | 'serial' | 'name' | 'word' | 'band';
const keyOf = (type: LocationType, key: Key, value: string | number): string => `${type} ${key} ${value}`;

/** Bands of latitude, wider than what is near. */
const bandDegrees = 0.002;
const bandOf = (latitude: string): number => Math.floor(Number(latitude) / bandDegrees);

/** Reads places once, for {@link matchDevice} and {@link rankPlaces}; two that are alike stay in the order given. */
export function indexPlaces(places: readonly OwnPlace[]): PlaceIndex {
  const index = new Map<string, ReadPlace[]>();
  for (const place of places) {
    const name = plainName(place.name);
    const read: ReadPlace = { place, name, words: longWords(name) };
    const keys = [
      keyOf(place.type, 'id', place.integrationId ?? ''),
      keyOf(place.type, 'number', bare(place.machineNumber)),
      keyOf(place.type, 'serial', bare(place.serialNumber)),
      keyOf(place.type, 'name', name),
      keyOf(place.type, 'band', bandOf(place.latitude)),
      ...[...read.words].map((word) => keyOf(place.type, 'word', word)),
    ];
    for (const key of keys) {
      const known = index.get(key);
      if (known) known.push(read);
      else index.set(key, [read]);
    }
  }
  return index;
}

type Finder = (key: Key, value: string | number) => readonly ReadPlace[];

/** Places of the device's kind; nothing says nothing. */
const finderIn =
  (index: PlaceIndex, type: LocationType): Finder =>
  (key, value) =>
    value === '' ? [] : (index.get(keyOf(type, key, value)) ?? []);

/**
 * Finds the place of ours that a partner's device is: by its integration id, by the operator's own machine number, by its
 * serial number; name and position only make a suggestion, because two kiosks of one chain are alike in both.
 */
export function matchDevice(told: Told, index: PlaceIndex): Match {
  const find = finderIn(index, told.locationType);
  const [byId] = find('id', told.integrationId ?? '');
  if (byId) return { kind: 'linked', place: byId.place, reason: 'Same integration ID' };
  const rules = [
    { reason: 'Same machine number', found: placesOf(find('number', bare(told.machineNumber))) },
    { reason: 'Same serial number', found: placesOf(find('serial', bare(told.serialNumber))) },
  ];
  for (const { reason, found } of rules) {
    const [place] = found;
    if (!place) continue;
    if (found.length === 1 && !place.isTaken) return { kind: 'linked', place, reason };
    const why =
      found.length > 1 ? `${reason} as ${found.length} places of ours` : `${reason} as a place that is linked`;
    return { kind: 'unsure', reason: why, candidates: found };
  }
  const named = find('name', plainName(told.name)).filter(({ place }) => isOneTown(told, place));
  const alike = placesOf([...new Set([...named, ...nearTo(told, find)])]).filter((place) => !place.isTaken);
  if (alike.length > 0) return { kind: 'unsure', reason: whyAlike(told, alike), candidates: alike };
  if (!hasPosition(told)) return { kind: 'unsure', reason: 'It does not say where it is', candidates: [] };
  return { kind: 'new' };
}

const placesOf = (found: readonly ReadPlace[]): OwnPlace[] => found.map(({ place }) => place);

type Placed = Pick<Told, 'latitude' | 'longitude'>;

function nearTo(told: Placed, find: Finder): ReadPlace[] {
  if (!hasPosition(told)) return [];
  const band = bandOf(told.latitude ?? '');
  return [band - 1, band, band + 1].flatMap((one) => find('band', one).filter(({ place }) => isNear(told, place)));
}

const isOneTown = (told: Pick<Told, 'city'>, place: OwnPlace): boolean =>
  !told.city || !place.city || same(told.city, place.city);

function hasLikeName(told: Pick<Told, 'name' | 'city'>, place: OwnPlace): boolean {
  const name = plainName(told.name);
  return name !== '' && name === plainName(place.name) && isOneTown(told, place);
}

function isNear(told: Placed, place: OwnPlace): boolean {
  if (!hasPosition(told)) return false;
  return distanceKm({ lat: Number(told.latitude), lng: Number(told.longitude) }, toPoint(place)) <= nearKm;
}

function whyAlike(told: Told, alike: readonly OwnPlace[]): string {
  const [first] = alike;
  const what = first && hasLikeName(told, first) ? 'Same name as' : 'At the same address as';
  return alike.length === 1 ? `${what} ${first?.name}` : `${what} ${alike.length} places of ours`;
}

type Asked = Pick<Told, 'locationType' | 'machineNumber' | 'serialNumber' | 'name' | 'city' | 'latitude' | 'longitude'>;

/** Places of ours that a device may be, the likeliest first; none that has nothing in common with it. */
export function rankPlaces(told: Asked, index: PlaceIndex): OwnPlace[] {
  const find = finderIn(index, told.locationType);
  const name = plainName(told.name);
  const words = [...longWords(name)];
  const near = new Set(nearTo(told, find));
  const found = new Set([
    ...find('number', bare(told.machineNumber)),
    ...find('serial', bare(told.serialNumber)),
    ...find('name', name),
    ...words.flatMap((word) => find('word', word)),
    ...near,
  ]);
  return [...found]
    .map((read) => ({ place: read.place, score: likeness({ ...told, name, words }, read, near.has(read)) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.place.id - b.place.id)
    .map(({ place }) => place);
}

type Likened = Omit<Asked, 'name'> & { name: string; words: readonly string[] };

function likeness(told: Likened, { place, name, words }: ReadPlace, isNearby: boolean): number {
  let score = 0;
  if (same(place.machineNumber, told.machineNumber)) score += 8;
  if (same(place.serialNumber, told.serialNumber)) score += 8;
  if (name !== '' && name === told.name && isOneTown(told, place)) score += 4;
  else if (told.words.some((word) => words.has(word))) score += 1;
  if (isNearby) score += 3;
  if (same(place.city, told.city) && score > 0) score += 1;
  return place.isTaken ? score / 4 : score;
}
