import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { vi } from 'vitest';
import type { DayEnd } from '../../../contract/day-ends.ts';
import type { PickList } from '../../../contract/need.ts';
import type { ScheduledRoute, Stop } from '../../../contract/routes.ts';
import type { Role } from '../../../domain/permissions.ts';
import { SessionContext } from '../../auth/session-context.ts';
import { setOperatorFormats } from '../../http/format.ts';
import { createQueryClient } from '../../http/query-client.ts';
import { progressOf } from '../../offline/day/progress.ts';
import type { Answer, Call } from '../../offline/environment.ts';
import { createOffline, type Offline } from '../../offline/offline.ts';
import { OfflineProvider } from '../../offline/offline-context.tsx';
import { putDrafts } from '../../offline/outbox/drafts.ts';
import type { Entry } from '../../offline/outbox/records.ts';
import { rememberSession } from '../../offline/session.ts';
import { buildSession, FakeClock, fakeEnvironment } from '../../offline/testing/fake-phone.ts';
import { buildChanges, buildMachine, buildSlot } from '../../offline/testing/sample-changes.ts';
import { ScriptedServer } from '../../offline/testing/scripted-server.ts';
import { dismissToast, toastStore } from '../../ui/toasts/toast.ts';
import { ScheduleScreen } from '../schedule-screen.tsx';
import { forgetUndos } from '../undo.ts';

export const day = '2026-03-02';

export function buildStop(id: number, fields: Partial<Stop> = {}): Stop {
  return {
    id,
    routeId: 1,
    marketId: null,
    vendingMachineId: id,
    stopOrder: id,
    estimatedArrival: `2026-03-02T1${id}:00:00.000Z`,
    expectedArrival: null,
    actualArrival: null,
    completed: false,
    skippedReason: null,
    locationName: `Place ${id}`,
    locationType: 'vending_machine',
    address: `${id} Main Street`,
    routeDesignation: '101',
    latitude: '40.70000000',
    longitude: '-74.00000000',
    serviceMin: 20,
    legDistanceKm: 2,
    legDurationMin: 10,
    lowCount: 0,
    emptyCount: 0,
    ...fields,
  };
}

export function buildRoute(fields: Partial<ScheduledRoute> = {}): ScheduledRoute {
  const stops = fields.stops ?? [buildStop(1), buildStop(2), buildStop(3)];
  return {
    id: 1,
    name: 'Route 101',
    date: day,
    routeDesignation: '101',
    status: 'planned',
    optimized: true,
    estimatedTime: 90,
    drivingMin: 30,
    serviceMin: 60,
    distanceSource: 'estimate',
    driverId: 1,
    driverName: 'Sam Number 1',
    vehicleId: null,
    vehicleName: null,
    depotId: null,
    depot: null,
    plannedStartAt: null,
    startedAt: null,
    completedAt: null,
    totalStops: stops.length,
    completedStops: 0,
    totalDistance: 4.5,
    ...fields,
    stops,
  };
}

const pickList: PickList = {
  routeId: 1,
  madeAt: '2026-03-02T04:00:00.000Z',
  stops: [1, 2, 3].map((stopId) => ({
    stopId,
    why: [`Cola is sold out at place ${stopId}.`],
    units: 7,
    lastNote: null,
    items: [
      { itemType: 'machine_slot' as const, id: stopId, productName: 'Cola', slotNumber: 'A1', fill: 4 },
      { itemType: 'machine_slot' as const, id: stopId + 10, productName: 'Cola', slotNumber: 'A2', fill: 3 },
    ],
  })),
};

let databases = 0;
const stops: (() => void)[] = [];

/** After each test: a phone that goes on sending would talk into the next one. */
export function stopPhones(): void {
  cleanup();
  for (const stop of stops.splice(0)) stop();
  for (const { id } of toastStore.get()) dismissToast(id);
  forgetUndos();
  vi.unstubAllGlobals();
  vi.useRealTimers();
}

/** The schedule on a phone or a wide screen, with a server in memory behind a network that can be cut. */
export class SchedulePhone {
  readonly clock = new FakeClock();
  readonly server = new ScriptedServer(this.clock.now);
  readonly databaseName = `schedule-${++databases}`;
  /** What the server says of the day; replaced to change it in the office. */
  routes: ScheduledRoute[];
  /** What the server knows of traffic. */
  incidents: { id: number; title: string }[] = [];
  /** Which days the server has as finished. */
  dayEnds: DayEnd[] = [];
  /** Requests of the screen itself, by method and path. */
  readonly asked: string[] = [];
  /** Barcodes that were sent to the catalogue. */
  readonly barcodes: unknown[] = [];
  isOnline = true;
  /** Requests of the screen itself are on their way for ever. */
  isSlow = false;
  role: Role = 'field_worker';
  offline: Offline;

  constructor(routes: ScheduledRoute[]) {
    this.routes = routes;
    this.offline = createOffline(fakeEnvironment(this.clock, this.transport, this.databaseName));
  }

  private readonly transport = async (call: Call): Promise<Answer> => {
    if (!this.isOnline) return { outcome: 'unreachable' };
    if (call.path.startsWith('/api/sync/changes')) return { outcome: 'answered', body: this.changes() };
    if (call.path === '/api/routes/1/pick-list') return { outcome: 'answered', body: pickList };
    if (call.path === '/api/traffic-incidents') return { outcome: 'answered', body: this.incidents };
    if (call.path.endsWith('/barcodes')) {
      this.barcodes.push(call.body);
      return { outcome: 'answered', body: {} };
    }
    return this.server.transport(call);
  };

  private changes() {
    const ids = [...new Set(this.routes.flatMap((route) => route.stops.map((stop) => stop.id)))];
    return buildChanges({
      reset: true,
      serverTime: new Date(this.clock.now()).toISOString(),
      machines: ids.map((id) => buildMachine({ id, machineId: `VM-${id}`, name: `Place ${id}` })),
      slots: ids.map((id) => buildSlot({ id, machineId: id, productName: 'Cola', currentQuantity: 0 })),
      routes: this.routes,
    });
  }

  private readonly fetch = async (input: unknown, init?: RequestInit): Promise<Response> => {
    const path = String(input);
    this.asked.push(`${init?.method ?? 'GET'} ${path}`);
    if (this.isSlow) return new Promise(() => {});
    if (!this.isOnline) throw new TypeError('offline');
    if (path.startsWith('/api/scheduled-routes')) return Response.json(this.routes);
    if (path.startsWith('/api/day-ends')) return Response.json(this.dayEnds);
    return Response.json({ detail: 'Not here.' }, { status: 404 });
  };

  async open(search: string, isWide: boolean): Promise<void> {
    cleanup();
    vi.stubGlobal('fetch', this.fetch);
    // The screen compares when it read with when the server answered: one clock for both.
    vi.useFakeTimers({ toFake: ['Date'], now: this.clock.now() });
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: isWide && query.includes('min-width'),
      addEventListener: () => {},
      removeEventListener: () => {},
    }));
    vi.stubGlobal('scrollTo', () => {});
    setOperatorFormats(buildSession(1).operator);
    stops.push(this.offline.start());
    window.history.replaceState(null, '', `/daily-schedule?date=${day}${search}`);
    const session = buildSession(1);
    render(
      <QueryClientProvider client={createQueryClient()}>
        <OfflineProvider offline={this.offline}>
          <SessionContext value={{ ...session, person: { ...session.person, role: this.role } }}>
            <ScheduleScreen />
          </SessionContext>
        </OfflineProvider>
      </QueryClientProvider>,
    );
    await screen.findByRole('heading', { level: 1 });
  }

  goOffline(): void {
    this.isOnline = false;
    act(() => this.offline.online.setConnected(false));
  }

  /** Back in the network: what waits is sent, and what the server knows is read again. */
  async goOnline(): Promise<void> {
    this.isOnline = true;
    act(() => this.offline.online.setConnected(true));
    await act(() => this.offline.sender.flush());
    await act(() => this.offline.refresh());
  }

  entries(): Promise<Entry[]> {
    return this.offline.store.read(['outbox'], (tx) => tx.objectStore('outbox').getAll());
  }

  /** The steps kept, in the order they were made. */
  async steps(): Promise<string[]> {
    return (await this.entries()).flatMap((entry) => {
      const event = progressOf(entry);
      if (!event) return [];
      return [`${event.type}${'stopId' in event ? ` ${event.stopId}` : ''}`];
    });
  }
}

/** Signed in, everything downloaded, and opened. */
export async function startPhone(routes: ScheduledRoute[], search = '', isWide = false): Promise<SchedulePhone> {
  const phone = new SchedulePhone(routes);
  await rememberSession(phone.offline, buildSession(1));
  await phone.offline.refresh();
  await phone.open(search, isWide);
  return phone;
}

export const tap = async (name: string | RegExp, within_: HTMLElement = document.body): Promise<void> => {
  fireEvent.click((await within(within_).findAllByRole('button', { name }))[0] as HTMLElement);
};
export const rowOf = async (place: string): Promise<HTMLElement> => {
  const found = (await screen.findByText(place)).closest('li');
  if (!found) throw new Error(`No row of ${place}`);
  return found;
};
export const started = (fields = {}) =>
  buildRoute({ status: 'in_progress', startedAt: '2026-03-02T05:00:00.000Z', ...fields });

export const place1 = { type: 'vending_machine', id: 1 } as const;

/** Typed in Mobile Inventory and not saved. */
export const typeRestock = (phone: SchedulePhone) =>
  putDrafts(phone.offline.store, [
    {
      userId: 1,
      itemType: 'machine_slot',
      itemId: 1,
      location: place1,
      locationKey: 'vending_machine:1',
      productName: 'Cola',
      shown: 0,
      change: { kind: 'restock', quantity: 4, reason: 'fill' },
      earlier: [],
      changedAt: new Date(phone.clock.now()).toISOString(),
    },
  ]);
