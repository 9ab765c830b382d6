import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../http/query-client.ts';
import { market } from '../route-planning/testing/places.ts';
import { PlanSetup } from './plan-setup.tsx';

const needing = (id: number, name: string, route: string, missingUnits: number) => ({
  ...{ ...market(id, name, route), lowCount: 1, missingUnits },
});
const stored = [needing(1, 'Lobby', '101', 480), needing(2, 'Hall', '202', 800)];
/** Answers about locations that are on their way. */
let waiting: (() => void)[] = [];
let isHeld = false;
/** The address of which the server knows no answer. */
let failing: string | null = null;

const replies: Record<string, unknown> = {
  '/api/locations/counts': ['101', '202'].map((designation) => ({ designation, all: 1, needing: 1 })),
  '/api/route-choices': {
    drivers: [
      { id: 5, name: 'Ana', routeDesignation: '101' },
      { id: 6, name: 'Bo', routeDesignation: '303' },
    ],
    vehicles: [{ id: 3, name: 'Van', depotId: 1, capacityTotes: 10 }],
    depots: [{ id: 1, name: 'North', latitude: '40.70', longitude: '-74.00', isDefault: true }],
  },
};

beforeEach(() => {
  waiting = [];
  isHeld = false;
  failing = null;
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://test');
    if (pathname === failing) return Response.json({ detail: 'No' }, { status: 500 });
    if (pathname !== '/api/locations/page') return Response.json(replies[pathname] ?? []);
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
    const routes: string[] = JSON.parse(searchParams.get('routes') ?? '["101","202"]');
    const rows = stored.filter(({ routeDesignation }) => routes.includes(routeDesignation ?? ''));
    return Response.json({ rows, total: rows.length, low: rows.length, from: 1, next: null, previous: null });
  });
});

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
});

it('what is known stays in sight while the next answer is on its way, without what is planned no more', async () => {
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <PlanSetup onCreated={() => {}} />
    </QueryClientProvider>,
  );
  const lobby = 'Lobby needs about 12 totes: Van holds 10.';
  const hall = 'Hall needs about 20 totes: Van holds 10.';
  const said = () => within(screen.getByRole('list', { name: 'Known before planning' })).getAllByRole('listitem');
  const texts = () => said().map(({ textContent }) => textContent);
  await vi.waitFor(() => expect(texts()).toEqual([lobby, hall]));
  expect(said()[0]?.closest('[role=status]')).toBeTruthy();

  isHeld = true;
  await user.click(screen.getByRole('checkbox', { name: /^Route 202/ }));
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  expect(texts()).toEqual([lobby]);
  for (const go of waiting) go();
  await vi.waitFor(() => expect(texts()).toEqual([lobby]));
});

function open(): void {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <PlanSetup onCreated={() => {}} />
    </QueryClientProvider>,
  );
}

it('the day, who drives, with what and when are the same after a reload', async () => {
  const user = userEvent.setup();
  window.history.replaceState(null, '', '/?date=2031-05-06');
  open();
  await user.click(await screen.findByRole('checkbox', { name: /^Ana/ }));
  await user.click(screen.getByRole('checkbox', { name: /^Bo/ }));
  const boHas = (label: string) => screen.getAllByLabelText<HTMLInputElement>(label)[1] as HTMLInputElement;
  await user.selectOptions(boHas('Vehicle'), 'Van');
  fireEvent.change(boHas('To'), { target: { value: '13:30' } });
  cleanup();
  open();
  expect((await screen.findByRole('checkbox', { name: /^Ana/ })) as HTMLInputElement).toHaveProperty('checked', false);
  expect(screen.getByRole('checkbox', { name: /^Bo/ })).toHaveProperty('checked', true);
  expect([boHas('Vehicle').value, boHas('From').value, boHas('To').value]).toEqual(['3', '06:00', '13:30']);
  expect(screen.getByText('May 6, 2031')).toBeTruthy();
});

it('which locations are planned is the same after a reload, without routes that are gone', async () => {
  const user = userEvent.setup();
  open();
  await user.click(await screen.findByRole('checkbox', { name: /^Route 202/ }));
  await user.click(screen.getByRole('button', { name: 'All' }));
  const shown = () => [
    screen.getByRole('button', { name: 'All' }).getAttribute('aria-pressed'),
    ...screen.getAllByRole<HTMLInputElement>('checkbox', { name: /^Route/ }).map(({ checked }) => checked),
  ];
  expect(shown()).toEqual(['true', true, false]);
  const { search } = window.location;
  cleanup();
  window.history.replaceState(null, '', `/${search.replace('202', '202%22%2C%22909')}`);
  open();
  await screen.findByRole('checkbox', { name: /^Route 202/ });
  expect(shown()).toEqual(['true', true, false]);
  cleanup();
  window.history.replaceState(null, '', '/?locations=some&without=x');
  open();
  await screen.findByRole('checkbox', { name: /^Route 202/ });
  expect(shown()).toEqual(['false', true, true]);
});

it('what was added or left out by hand is the same after a reload, until the day is planned', async () => {
  const user = userEvent.setup();
  replies['/api/day-plans'] = { id: 'made' };
  open();
  await user.type(await screen.findByRole('combobox', { name: 'Add or leave out a location' }), 'lob');
  await user.click(await screen.findByRole('option', { name: /Lobby/ }));
  const excepted = () => screen.getByRole('list', { name: 'Exceptions' }).textContent;
  expect(excepted()).toContain('Left out');
  cleanup();
  open();
  await screen.findByRole('checkbox', { name: /^Route 202/ });
  expect(excepted()).toContain('Lobby');
  await user.click(screen.getByRole('button', { name: 'Plan 1 stop for 1 driver' }));
  await vi.waitFor(() => expect(sessionStorage).toHaveLength(0));
});

it('what an earlier release kept of a location in another form is not shown', async () => {
  const kept = { places: [{ place: { type: 'market', id: 1, name: 'Lobby' }, isLeftOut: true }] };
  sessionStorage.setItem('milkrun-draft-day-plan-exceptions', JSON.stringify(kept));
  open();
  await screen.findByRole('checkbox', { name: /^Route 202/ });
  expect(screen.queryByRole('list', { name: 'Exceptions' })).toBeNull();
});

it('an address that names nobody and no vehicle there is means who is planned as a rule', async () => {
  window.history.replaceState(null, '', '/?date=2031-02-31&drivers=99.3.0600.1500');
  open();
  expect(await screen.findByRole('checkbox', { name: /^Ana/ })).toHaveProperty('checked', true);
});

it('that nobody knows who has a route already is said, and asked again', async () => {
  const user = userEvent.setup();
  failing = '/api/route-choices/taken';
  open();
  await screen.findByText('Who has a route on this day already did not load');
  expect(screen.getByRole('checkbox', { name: /^Ana/ })).toHaveProperty('checked', true);
  failing = null;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await vi.waitFor(() => expect(screen.queryByText(/did not load/)).toBeNull());
});
