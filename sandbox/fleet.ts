import { dayIn } from '../domain/time.ts';
import { dayOf, daysBetween, timeZone } from '../simulator/calendar.ts';
import { demandFactor, type PaymentMethod, paymentOf, saleMinute } from '../simulator/demand.ts';
import { catalogue, type Product } from '../simulator/operator/catalogue.ts';
import { assortment, planogram } from '../simulator/operator/layouts.ts';
import { planOperator } from '../simulator/operator/operator.ts';
import type { ProfileName } from '../simulator/operator/profiles.ts';
import type { Site } from '../simulator/operator/sites.ts';
import { at, hash, randomOf } from '../simulator/random.ts';

/** Something for sale at a place: a selection of a machine, or a product of a market. */
export type Line = { slotNumber: string | null; product: Product; capacity: number; minimum: number };

/** A machine or market of the synthetic operator, the very one that the demo's database has. */
export type Place = {
  site: Site;
  /** The operator's own number of a machine: 'VM-00001'; 'MKT-001' of a market. */
  number: string;
  serialNumber: string;
  /** False of a machine that nothing is counted in. */
  hasLines: boolean;
  /** Made when asked for: fifty thousand machines have more than a million, and few of them are asked about. */
  readonly lines: Line[];
};

/** Whether two lines, perhaps made at different times, are the same of one place. */
export const isSameLine = (one: Line, other: Line): boolean =>
  one.slotNumber === other.slotNumber && one.product === other.product;

const quarterMs = 15 * 60_000;

/** When the device of a place was heard last: every quarter of an hour, and each some minutes ago; between, nothing changes. */
export function lastCallOf({ site }: Place, now: Date): Date {
  return new Date(Math.floor(now.getTime() / quarterMs) * quarterMs - (site.id % 35) * 60_000);
}

export type FleetSale = {
  /** The same in every run. Rises from day to day, within a day by place and not by time: it is no cursor. */
  number: number;
  place: Place;
  line: Line;
  quantity: number;
  method: PaymentMethod;
  /** Decimal text for all pieces. */
  amount: string;
  at: Date;
  failed: boolean;
};

export type Fleet = {
  profile: ProfileName;
  seed: number;
  timeZone: string;
  machines: Place[];
  markets: Place[];
  /** Nothing was sold before. */
  from: Date;
  /** Sales asked for by hand, beside those that follow from the seed. */
  extra: FleetSale[];
};

/** The operator's places. The same profile and seed give the same ones. */
export function fleetOf(profile: ProfileName, seed: number, from = new Date(0)): Fleet {
  const linesAt = lineMaker(seed);
  const places = planOperator(profile, seed).sites.map((site) => placeOf(site, linesAt));
  const ofType = (type: Site['type']) => places.filter((place) => place.site.type === type);
  return { profile, seed, timeZone, machines: ofType('vending_machine'), markets: ofType('market'), from, extra: [] };
}

/** As many places keep their lines once made; those asked for first are let go first. */
const keptPlaces = 2_000;

function lineMaker(seed: number): (site: Site) => Line[] {
  const kept = new Map<Site, Line[]>();
  return (site) => {
    const known = kept.get(site);
    if (known) return known;
    const lines = makeLines(site, seed);
    const [oldest] = kept.keys();
    if (oldest && kept.size >= keptPlaces) kept.delete(oldest);
    kept.set(site, lines);
    return lines;
  };
}

function makeLines(site: Site, seed: number): Line[] {
  if (site.type === 'vending_machine') return site.model ? planogram(site.model, randomOf(seed, 6, site.id)) : [];
  const stocked = assortment(catalogue, randomOf(seed, 5, site.id));
  return stocked.map(({ product, par, minimum }) => ({ slotNumber: null, product, capacity: par, minimum }));
}

function placeOf(site: Site, linesAt: (site: Site) => Line[]): Place {
  const isMarket = site.type === 'market';
  const serial = String((site.id * 7919) % 10_000_019).padStart(8, '0');
  return {
    site,
    number: isMarket ? `MKT-${String(site.id).padStart(3, '0')}` : `VM-${String(site.id).padStart(5, '0')}`,
    serialNumber: isMarket ? `KSK${8_000_000 + site.id}` : `SN${serial}`,
    hasLines: isMarket || Boolean(site.model?.trays.length),
    get lines() {
      return linesAt(site);
    },
  };
}

/**
 * Sales of a place from an instant (included) to another (excluded), oldest first. They follow from the seed alone:
 * asking twice, in one span or in many, gives the same sales.
 */
export function salesOf(fleet: Fleet, place: Place, from: Date, to: Date): FleetSale[] {
  const begin = from < fleet.from ? fleet.from : from;
  if (!place.hasLines || place.site.status === 'inactive' || to <= begin) return [];
  const days = daysBetween(dayIn(timeZone, begin), dayIn(timeZone, to));
  return days
    .flatMap(({ day }) => salesOfDay(fleet, place, day))
    .concat(fleet.extra.filter((sale) => sale.place === place))
    .filter((sale) => sale.at >= begin && sale.at < to)
    .sort((a, b) => a.at.getTime() - b.at.getTime() || a.number - b.number);
}

/** Above the numbers of every sale that follows from the seed on the same day. */
const extraNumbers = 90_000_000;

/** Numbers for each second of a day, so that a sandbox that begins anew uses none of the day again. */
const numbersPerSecond = 100;

/** Sells something at each of the places now, one after another until `count` is reached. */
export function sellNow(fleet: Fleet, places: readonly Place[], count: number, now: Date): FleetSale[] {
  const open = places.filter((place) => place.hasLines && place.site.status !== 'inactive');
  const day = dayOf(dayIn(timeZone, now));
  const firstOfDay = day.number * 200_000_000 + 100_000_000 + extraNumbers;
  const ofSecond = Math.floor((now.getTime() - day.startMs) / 1000) * numbersPerSecond;
  const next = Math.max(ofSecond, (fleet.extra.at(-1)?.number ?? 0) + 1 - firstOfDay);
  const sold = Array.from({ length: open.length ? count : 0 }, (_, index): FleetSale => {
    const nth = next + index;
    const place = at(open, hash(fleet.seed, nth, day.number) % open.length);
    const line = at(place.lines, hash(nth, fleet.seed) % place.lines.length);
    return {
      number: firstOfDay + nth,
      place,
      line,
      quantity: 1,
      method: paymentOf(place.site.type === 'market' ? 'market' : place.site.kind, (hash(nth) % 1000) / 1000),
      amount: Number(line.product.price).toFixed(2),
      // A millisecond each: no two share a place in a list that goes by time.
      at: new Date(now.getTime() - count + index),
      failed: false,
    };
  });
  fleet.extra.push(...sold);
  return sold;
}

function salesOfDay(fleet: Fleet, place: Place, dayName: string): FleetSale[] {
  const day = dayOf(dayName);
  const { site } = place;
  const series = site.type === 'market' ? 1 : 2;
  const random = randomOf(fleet.seed, 40 + series, site.id, day.number);
  const count = Math.min(999, random.poisson(site.salesPerDay * demandFactor(site.kind, day)));
  return Array.from({ length: count }, (_, index): FleetSale => {
    // The square draws buyers to the first lines: a few things sell well, most slowly.
    const line = at(place.lines, Math.floor(random.next() ** 2 * place.lines.length));
    const quantity = random.chance(0.08) ? 2 : 1;
    const minute = saleMinute(site.kind, random.next());
    return {
      number: (day.number * 2 + series) * 100_000_000 + site.id * 1000 + index,
      place,
      line,
      quantity,
      method: paymentOf(site.type === 'market' ? 'market' : site.kind, random.next()),
      amount: (Number(line.product.price) * quantity).toFixed(2),
      at: new Date(day.startMs + minute * 60_000 + (hash(site.id, day.number, index) % 60_000)),
      failed: random.chance(0.01),
    };
  });
}
