import type { Point } from '../../domain/location.ts';
import type { SiteKind } from '../demand.ts';
import { at, type Random, randomOf } from '../random.ts';
import { type Model, modelFor } from './layouts.ts';
import { type Place, places } from './places.ts';
import { designationNames, type Profile } from './profiles.ts';

/** A location of the operator: a market or a machine, at a point of a real neighbourhood. */
export type Site = {
  type: 'market' | 'vending_machine';
  /** Rises from 1 within its type. */
  id: number;
  kind: SiteKind;
  name: string;
  /** Where in the building. */
  spot: string;
  address: string;
  city: string;
  state: string;
  point: Point;
  designation: string;
  status: 'active' | 'maintenance' | 'inactive';
  /** When it can be entered; null: at any time. */
  accessHours: string | null;
  /** Sales expected on an average day. */
  salesPerDay: number;
  /** Null for a market. */
  model: Model | null;
};

const stems =
  'Harrow|Linden|Calder|Ambler|Tilbury|Wexley|Marlin|Corbel|Dunmore|Eastlake|Fenwick|Garnet|Hadley|Inwood|Juniper|Keswick|Larch|Mercer|Norwood|Oakdale|Penrose|Quarry|Redfern|Selwyn|Thorpe|Upland|Vernon|Waverly|Yarrow|Aldine|Birchall|Cresson|Delancey|Elmhurst|Fallon|Grantley|Holme|Ivy|Jarrett|Kenton|Lowell|Mifflin|Nedro|Orchard|Parrish|Rowland|Stenton|Tulip|Unruh|Venango|Wister|Ardleigh|Belfield|Clearview|Dorset|Everett|Foulk|Godfrey|Hartwell|Ingram'.split(
    '|',
  );
const seconds = ['', ' Street', ' Row', ' Park', ' Mill', ' Square', ' Hill', ' Point', ' Court', ' Gate'];

const words: Record<SiteKind, { nouns: readonly string[]; spots: readonly string[] }> = {
  office: {
    nouns: ['Offices', 'Business Center', 'Plaza', 'Insurance Building', 'Design House', 'Data Works'],
    spots: ['lobby', '2nd floor', '4th floor break room', 'mail room', 'lower level', 'east wing'],
  },
  hospital: {
    nouns: ['Clinic', 'Medical Center', 'Rehabilitation Hospital', 'Surgery Center', 'Family Health'],
    spots: ['lobby', 'emergency waiting room', 'staff lounge', '3rd floor', 'outpatient hall', 'cafeteria'],
  },
  school: {
    nouns: ['High School', 'Community College', 'Technical School', 'Student Center', 'Library'],
    spots: ['gymnasium', 'main hall', 'student lounge', 'staff room', 'science wing', 'entrance'],
  },
  transit: {
    nouns: ['Station', 'Bus Terminal', 'Park and Ride', 'Trolley Depot', 'Crew Base'],
    spots: ['platform', 'concourse', 'ticket hall', 'crew room', 'waiting room', 'north entrance'],
  },
  plant: {
    nouns: ['Foundry', 'Bakery', 'Packing Plant', 'Distribution House', 'Machine Shop', 'Print House'],
    spots: ['break room', 'loading dock', 'shift office', 'canteen', 'main floor', 'locker room'],
  },
  gym: {
    nouns: ['Fitness Club', 'Swim Center', 'Climbing Hall', 'Recreation Center', 'Ice Rink'],
    spots: ['entrance', 'weight room', 'pool side', 'front desk', 'lounge', 'upper level'],
  },
};

/** Buildings that lock their doors. */
const hours: Record<SiteKind, string | null> = {
  office: '06:00-20:00',
  hospital: null,
  school: '06:00-17:00',
  transit: '04:00-23:00',
  plant: null,
  gym: '06:00-22:00',
};

const kindParts: readonly SiteKind[] = [
  ...Array<SiteKind>(34).fill('office'),
  ...Array<SiteKind>(18).fill('hospital'),
  ...Array<SiteKind>(14).fill('school'),
  ...Array<SiteKind>(10).fill('transit'),
  ...Array<SiteKind>(16).fill('plant'),
  ...Array<SiteKind>(8).fill('gym'),
];

/** Every location of an operator. Territories follow one unbroken line through the map, so each hangs together. */
export function planSites(profile: Profile, seed: number): Site[] {
  const random = randomOf(seed, 1);
  const total = profile.machines + profile.markets;
  const used = places.slice(0, profile.places);
  const spread = Array.from({ length: total }, (_, index) => {
    const place = at(used, index % used.length);
    const point = scatter(place, random);
    return { place, point, order: curveOrder(point) };
  }).sort((a, b) => a.order - b.order);
  const isMarket = spacedOut(profile.markets, total);
  const names = designationNames(profile.designations);
  const taken = new Set<string>();
  const ids = { market: 0, vending_machine: 0 };
  return spread.map(({ place, point }, index) => {
    const type = isMarket.has(index) ? 'market' : 'vending_machine';
    ids[type] += 1;
    const designation = at(names, Math.floor((index * names.length) / total));
    return buildSite({ type, id: ids[type], designation, place, point, profile }, random, taken);
  });
}

function spacedOut(count: number, total: number): Set<number> {
  return new Set(Array.from({ length: count }, (_, n) => Math.floor(((n + 0.5) * total) / count)));
}

type Draft = { type: Site['type']; id: number; designation: string; place: Place; point: Point; profile: Profile };

function buildSite(draft: Draft, random: Random, taken: Set<string>): Site {
  const { type, place, profile } = draft;
  // Markets need many people who stay all day.
  const kind = type === 'market' ? random.pick(['office', 'plant', 'hospital'] as const) : random.pick(kindParts);
  const { name, spot } = uniqueName(kind, type, random, taken);
  const mean = type === 'market' ? profile.marketSalesPerDay : profile.machineSalesPerDay;
  // From a third of the mean to about twice it.
  const busyness = 0.35 + 1.3 * random.next() ** 1.4 + 0.25 * random.next();
  return {
    type,
    id: draft.id,
    kind,
    name,
    spot,
    address: `${random.int(11, 499) * 4 + random.int(0, 3)} ${random.pick(place.streets)}`,
    city: place.city,
    state: place.state,
    point: draft.point,
    designation: draft.designation,
    status: statusFor(type, draft.id, random),
    accessHours: draft.id % 3 === 0 ? hours[kind] : null,
    salesPerDay: mean * busyness,
    model: type === 'market' ? null : modelFor(random.next()),
  };
}

function statusFor(type: Site['type'], id: number, random: Random): Site['status'] {
  const chance = random.next();
  if (type === 'market' && id <= 2) return 'active';
  if (chance < 0.015) return 'inactive';
  return chance < 0.045 ? 'maintenance' : 'active';
}

function uniqueName(kind: SiteKind, type: Site['type'], random: Random, taken: Set<string>) {
  const { nouns, spots } = words[kind];
  for (let number = 1; ; number++) {
    const building = `${random.pick(stems)}${random.pick(seconds)} ${random.pick(nouns)}`;
    const spot = random.pick(spots);
    const place = type === 'market' ? `${building} Market` : `${building}, ${spot}`;
    const name = number > 12 ? `${place} ${number}` : place;
    if (taken.has(name)) continue;
    taken.add(name);
    return { name, spot };
  }
}

/** A point of the place, evenly over its circle, to a millionth of a degree. */
function scatter(place: Place, random: Random): Point {
  const km = place.radiusKm * Math.sqrt(random.next());
  const angle = 2 * Math.PI * random.next();
  const kmPerDegree = 111.2;
  const lat = place.middle.lat + (km * Math.sin(angle)) / kmPerDegree;
  const lng = place.middle.lng + (km * Math.cos(angle)) / (kmPerDegree * Math.cos((place.middle.lat * Math.PI) / 180));
  return { lat: Math.round(lat * 1e6) / 1e6, lng: Math.round(lng * 1e6) / 1e6 };
}

/** Place along a Hilbert curve over the metropolitan area: neighbours on it are neighbours on the map. */
function curveOrder(point: Point): number {
  const side = 4096;
  let x = Math.floor(((point.lng + 75.85) / 1.3) * side);
  let y = Math.floor(((point.lat - 39.6) / 0.9) * side);
  let order = 0;
  for (let s = side / 2; s > 0; s = Math.floor(s / 2)) {
    const rx = (x & s) > 0 ? 1 : 0;
    const ry = (y & s) > 0 ? 1 : 0;
    order += s * s * ((3 * rx) ^ ry);
    if (ry === 0) {
      if (rx === 1) {
        x = side - 1 - x;
        y = side - 1 - y;
      }
      [x, y] = [y, x];
    }
  }
  return order;
}
