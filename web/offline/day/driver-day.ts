import type { ScheduledRoute } from '../../../contract/routes.ts';
import type { VisitMovement } from '../../../domain/field-event.ts';
import type { LocationRef } from '../../../domain/location.ts';
import { dayIn } from '../../../domain/time.ts';
import { getMeta } from '../device.ts';
import type { Offline } from '../offline.ts';
import { entriesOf, stepsOf } from '../outbox/outbox.ts';
import { type Entry, itemKey, placeKey, type StockEntry } from '../outbox/records.ts';
import type { ReadTx } from '../outbox/store.ts';
import { sentWork } from './day-work.ts';
import { type IncidentNames, readIncidentNames } from './incident-names.ts';
import { type Picks, readPicks } from './pick-lists.ts';
import { progressOf } from './progress.ts';
import { isTakenSince, withProgress } from './route-overlay.ts';

/** The driver's day as this phone alone knows it. */

export type DriverDay = {
  /** As last downloaded, without this phone's own steps. */
  routes: ScheduledRoute[];
  picks: Picks;
  incidentNames: IncidentNames;
  /** Own steps of the last day or so, sent or not, in the order they were made. */
  steps: Entry[];
  /** Server time minus phone time. */
  clockOffsetMs: number;
  /** The server's time of the download. */
  asOf: string | null;
};

const stepStatuses = ['unsent', 'saved', 'needs_attention', 'refused'] as const;

type OwnDay = Omit<DriverDay, 'picks' | 'incidentNames'>;

async function ownDay(tx: ReadTx, day: string): Promise<OwnDay> {
  const [session, contact, download, kept] = await Promise.all([
    getMeta(tx, 'session'),
    getMeta(tx, 'contact'),
    getMeta(tx, 'download'),
    tx.objectStore('routes').getAll(),
  ]);
  const userId = session?.person.id;
  const lists =
    userId === undefined ? [] : await Promise.all(stepStatuses.map((status) => stepsOf(tx, userId, status)));
  return {
    routes: kept
      .map(({ row }) => row)
      .filter((row) => row.date === day)
      .sort((a, b) => a.name.localeCompare(b.name)),
    steps: lists
      .flat()
      .filter((entry) => progressOf(entry) !== null || entry.type === 'day-ended')
      .sort((a, b) => a.seq - b.seq),
    clockOffsetMs: contact?.clockOffsetMs ?? 0,
    asOf: download?.userId === userId ? (download?.refreshedAt ?? null) : null,
  };
}

export async function readDriverDay(offline: Offline, day: string): Promise<DriverDay> {
  return offline.store.read(['routes', 'answers', 'outbox', 'meta'], async (tx) => {
    const own = await ownDay(tx, day);
    const routeIds = own.routes.map((route) => route.id);
    return { ...own, picks: await readPicks(tx, routeIds), incidentNames: await readIncidentNames(tx) };
  });
}

/** The rows of the day's routes, with what this phone did since they were read on top: every screen shows the same stops open. */
export function routesAsLeft({ routes, steps, clockOffsetMs, asOf }: OwnDay): ScheduledRoute[] {
  return routes.map((route) => withProgress(route, steps, clockOffsetMs, asOf));
}

/** Whether the server took one of these steps at that time of its own or later: rows read then may lack it. */
export const hasStepsSince = (steps: readonly Entry[], asOf: string): boolean =>
  steps.some((entry) => isTakenSince(entry, asOf));

/** The day's routes as this phone has them. */
export async function listRoutesOfDay(offline: Offline, day: string): Promise<ScheduledRoute[]> {
  return routesAsLeft(await offline.store.read(['routes', 'outbox', 'meta'], (tx) => ownDay(tx, day)));
}

/** How to get in at a location, as far as this phone has it. */
export type Access = { hours: string | null; notes: string | null };

export async function readAccess(offline: Offline, ref: LocationRef): Promise<Access> {
  const row = await offline.store.read(['markets', 'machines'], async (tx) => {
    const kept =
      ref.type === 'market'
        ? await tx.objectStore('markets').get(ref.id)
        : await tx.objectStore('machines').get(ref.id);
    return kept?.row;
  });
  return { hours: row?.accessHours ?? null, notes: row?.accessNotes ?? null };
}

/** What stands open at a location: counts typed and not saved, and the visit that is not finished. */
export type OpenWork = { drafts: number; visitId: string | null };

export async function readOpenWork(offline: Offline, ref: LocationRef): Promise<OpenWork> {
  return offline.store.read(['drafts', 'visits', 'meta'], async (tx) => {
    const userId = (await getMeta(tx, 'session'))?.person.id;
    if (userId === undefined) return { drafts: 0, visitId: null };
    const key = placeKey(ref);
    const [drafts, visit] = await Promise.all([
      tx.objectStore('drafts').index('byUser').getAll(userId),
      tx.objectStore('visits').get([userId, key]),
    ]);
    return {
      drafts: drafts.filter((draft) => draft.locationKey === key).length,
      visitId: visit?.opened?.visitId ?? null,
    };
  });
}

/**
 * What a person recorded on a day: this phone's own entries, sent or not, and what the server had of them at the last download. At a
 * sign-out a phone forgets what is sent, and a driver may change phones at midday: neither makes the day any shorter.
 */
export type DayWork = {
  movements: DayMovement[];
  /** Each visit's last word about its bag, in the order of the visits. */
  bags: { visitId: string; bagNumber: string | null }[];
  photosUnsent: number;
  photosRefused: number;
};

export type DayMovement = VisitMovement & { visitId: string | null; itemKey: string; productName: string };

const allStatuses = [...stepStatuses, 'superseded'] as const;

export async function readDayWork(offline: Offline, day: string): Promise<DayWork> {
  return offline.store.read(['outbox', 'photos', 'meta', 'answers'], async (tx) => {
    const session = await getMeta(tx, 'session');
    if (!session) return { movements: [], bags: [], photosUnsent: 0, photosRefused: 0 };
    const { person, operator } = session;
    const offsetMs = (await getMeta(tx, 'contact'))?.clockOffsetMs ?? 0;
    const lists = await Promise.all(allStatuses.map((status) => entriesOf(tx, person.id, status)));
    const ofDay = lists
      .flat()
      .filter(({ savedAt }) => dayIn(operator.timeZone, new Date(Date.parse(savedAt) + offsetMs)) === day)
      .sort((a, b) => a.seq - b.seq);
    const stock = ofDay.flatMap((entry) => (entry.type === 'stock-event' ? [entry] : []));
    const visits = ofDay.flatMap((entry) => (entry.type === 'visit' ? [entry.event] : []));
    // Sealed ones are not sent before they are open again.
    const photos = (await tx.objectStore('photos').getAll()).filter(
      (photo) => photo.userId === person.id && photo.uploadedAt === null && !photo.sealedWith,
    );
    const sent = await sentWork(tx, day);
    const here = new Set(stock.map(({ event }) => event.eventId));
    const elsewhere = sent.movements.filter(({ eventId }) => !here.has(eventId));
    return {
      movements: [
        ...elsewhere.map((movement) => ({ ...movement, itemKey: itemKey(movement) })),
        ...stock.map(movementOf),
      ],
      bags: [
        ...new Map(
          [...sent.visits, ...visits].map(({ visitId, bagNumber }) => [visitId, { visitId, bagNumber }]),
        ).values(),
      ],
      photosUnsent: photos.filter((photo) => !photo.refusal).length,
      photosRefused: photos.filter((photo) => photo.refusal).length,
    };
  });
}

function movementOf({ event, itemKey: key, productName }: StockEntry): DayMovement {
  const { visitId, kind, quantity, shown, reason } = event;
  return { visitId, itemKey: key, productName, kind, quantity, shown, reason: reason ?? null };
}
