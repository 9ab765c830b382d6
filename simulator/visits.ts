import type { Point } from '../domain/location.ts';
import { addDays } from '../domain/time.ts';
import { dayOf } from './calendar.ts';
import type { Site } from './operator/sites.ts';
import { at, hash, share } from './random.ts';
import type { OpenDay } from './today.ts';

/** A driver at a location, beside the movements made there. */
export type FieldVisit = {
  id: string;
  type: Site['type'];
  siteId: number;
  openedMs: number;
  closedMs: number;
  note: string | null;
  bagNumber: string | null;
  refunds: string | null;
  point: Point;
};

/** Visits of so many days before the end of a history are told one by one; bags of the last few still wait to be counted. */
const toldDays = 56;
const bagDays = 10;

/** Visits up to this day of a history are in its movements alone. */
export const lastUntoldDay = (span: { until: string }): string => addDays(span.until, -toldDays);

/** The visit of a day at a place: always the same id, of which movements know before the visit is told. */
export function visitId(seed: number, day: string, site: Pick<Site, 'type' | 'id'>): string {
  const mark = hash(seed, 79).toString(16).padStart(8, '0');
  const number = (dayOf(day).number & 0xffff).toString(16).padStart(4, '0');
  const type = site.type === 'market' ? '1' : '2';
  return `${mark}-${number}-5000-8000-${type}${site.id.toString(16).padStart(11, '0')}`;
}

const notes = {
  market: [
    'Left two cases in the storage room',
    'Reception asks for more water',
    'Door code has changed, facility desk knows it',
    'Cooler door wiped and aligned',
  ],
  vending_machine: [
    'Card reader needed a restart',
    'Coil A3 stuck, turns freely again',
    'Reception asks for more water',
    'Door code has changed, facility desk knows it',
    'Bill validator cleaned',
    'Front glass cleaned',
  ],
};

type Came = { site: Site; day: string; openedMs: number; closedMs: number };

/** What a driver noted on leaving; `untilMs` is now, or the end of the history. */
export function fieldVisit(seed: number, { site, day, openedMs, closedMs }: Came, untilMs: number): FieldVisit {
  const mark = (series: number): number =>
    share(seed, dayOf(day).number, site.type === 'market' ? 1 : 2, site.id, series);
  const said = notes[site.type];
  const isBagged = site.type === 'vending_machine' && openedMs > untilMs - bagDays * 86_400_000;
  return {
    id: visitId(seed, day, site),
    type: site.type,
    siteId: site.id,
    openedMs,
    closedMs,
    note: mark(1) < 0.2 ? at(said, Math.floor(mark(2) * said.length)) : null,
    bagNumber: isBagged ? `B${String(Math.floor(mark(3) * 1_000_000)).padStart(6, '0')}` : null,
    refunds: mark(4) < 0.08 ? (Math.ceil(mark(5) * 4) * 1.25).toFixed(2) : null,
    point: site.point,
  };
}

/** The visits of a route's stops that are done. */
export function visitsOfRoute(seed: number, { driven, doneStops }: OpenDay, untilMs: number): FieldVisit[] {
  return driven.tour.sites.slice(0, doneStops).map((site, index) => {
    const came = { site, day: driven.day, openedMs: at(driven.actualMs, index), closedMs: at(driven.doneMs, index) };
    return fieldVisit(seed, came, untilMs);
  });
}
