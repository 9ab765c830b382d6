import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, vi } from 'vitest';
import type { Session } from '../../../contract/auth.ts';
import type { ListedPlace } from '../../../contract/locations.ts';
import { SessionContext } from '../../auth/session-context.ts';
import { createQueryClient } from '../../http/query-client.ts';
import { toastStore } from '../../ui/toasts/toast.ts';
import { RoutePlanningScreen } from '../route-planning-screen.tsx';
import { machine, market, plan } from './places.ts';

export const session: Session = {
  person: {
    id: 1,
    email: '',
    firstName: 'A',
    lastName: 'B',
    role: 'route_manager',
    roleLabel: 'Route Manager',
    routeDesignation: null,
  },
  operator: {
    name: 'Operator',
    timeZone: 'UTC',
    currency: 'USD',
    distanceUnit: 'km',
    today: '2026-11-21',
    isDemo: false,
  },
  map: { styleUrl: null },
  expiresAt: '2026-11-22T00:00:00Z',
};

function matching(query: URLSearchParams): ListedPlace[] {
  const [type, route, search] = ['type', 'route', 'search'].map((name) => query.get(name));
  return office.stored.filter(
    (one) =>
      (!type || one.type === type) &&
      (!route || one.routeDesignation === route) &&
      (!search || one.name.toLowerCase().includes(search)) &&
      (query.get('low') !== 'true' || one.lowCount > 0),
  );
}

/** A page as the server makes it: the cursor is how many rows come before. */
export function page(query: URLSearchParams) {
  const found = matching(query);
  const [from, limit] = [Number(query.get('page') ?? 0), Number(query.get('limit'))];
  const next = from + limit < found.length ? String(from + limit) : null;
  const low = found.filter((one) => one.lowCount > 0).length;
  return { rows: found.slice(from, from + limit), total: found.length, low, from: from + 1, next, previous: null };
}

export function onMap(query: URLSearchParams) {
  const found = matching(query);
  const places = found.slice(0, 400);
  return { total: found.length, bounds: { west: -75, east: -74, south: 40, north: 41 }, places, groups: [] };
}

type Sent = { method: string; path: string; body: unknown };
const isAnswered = (reply: unknown): reply is (query: URLSearchParams) => unknown => typeof reply === 'function';

let ofScreen = createQueryClient();
/** What the screen that was opened last keeps of the server's answers. */
export const client = () => ofScreen;

export async function open(as: Partial<Session['person']> = {}) {
  ofScreen = createQueryClient();
  render(
    <QueryClientProvider client={ofScreen}>
      <SessionContext.Provider value={{ ...session, person: { ...session.person, ...as } }}>
        <RoutePlanningScreen />
      </SessionContext.Provider>
    </QueryClientProvider>,
  );
  await screen.findByRole('checkbox', { name: 'Near market' });
  return userEvent.setup();
}

export const toastShown = () => toastStore.get()[0];
export const optimizeButton = async () => {
  const card = await screen.findByRole('region', { name: 'Select Locations' });
  return within(card).getByRole('button', { name: 'Optimize Route' });
};

/** What the server has and answers, and what was sent to it. */
export const office: { stored: ListedPlace[]; sent: Sent[]; replies: Record<string, unknown> } = {
  stored: [],
  sent: [],
  replies: {},
};

/** The screen before a server of which each test writes the answers. */
export function atPlanningOffice(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T12:00:00.000Z') });
    // The test browser has no layout; a list that draws only what is in sight needs a height.
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(320);
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(56);
    window.history.replaceState(null, '', '/');
    office.sent = [];
    office.stored = [market(7, 'Near market', '101'), market(1200, 'Far market', null), machine(7, 'Snack 7')];
    office.replies = {
      '/api/route-designations': ['101', '202'],
      '/api/locations/page': page,
      '/api/locations/map': onMap,
      '/api/route-choices': {
        drivers: [{ id: 1, name: 'Sam', routeDesignation: null }],
        vehicles: [{ id: 3, name: 'Van', depotId: 1, capacityTotes: null }],
        depots: [{ id: 1, name: 'North', latitude: '40.70', longitude: '-74.00', isDefault: true }],
      },
      '/api/routes': [],
      '/api/routes/rest-offers': [],
      '/api/traffic-incidents': [],
      '/api/routes/optimize': plan,
    };
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      const { pathname: path, searchParams } = new URL(url, 'http://test');
      const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null;
      office.sent.push({ method: init.method ?? 'GET', path: url, body });
      const known = office.replies[path];
      const reply = await (isAnswered(known) ? known(searchParams) : known);
      if (reply instanceof Response) return reply;
      return reply === undefined ? Response.json({ detail: 'No' }, { status: 500 }) : Response.json(reply);
    });
  });

  afterEach(() => {
    sessionStorage.clear();
    cleanup();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
}
