import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { setOperatorFormats } from '../../http/format.ts';
import { createQueryClient } from '../../http/query-client.ts';
import { HistoryDialog } from './history-dialog.tsx';

const place = (n: number) => ({ latitude: '40.00000000', longitude: `-${74 + n / 10}000000` });
const route = (id: number, date: string) => ({
  id,
  name: `Round ${id}`,
  date,
  routeDesignation: '11',
  status: 'completed',
  estimatedTime: 90,
  distanceSource: null,
  driverName: 'Sam, Driver',
  vehicleName: null,
  depot: null,
  startedAt: `${date}T08:00:00Z`,
  completedAt: `${date}T09:45:00Z`,
  totalStops: 2,
  completedStops: 2,
  totalDistance: 12.34,
});
const stop = (id: number, actualArrival: string | null) => ({ id, stopOrder: id, actualArrival, ...place(id) });
const past = [route(3, '2026-01-04'), route(2, '2026-01-04'), route(1, '2026-01-03')];

afterEach(() => {
  cleanup();
  setOperatorFormats({ timeZone: 'UTC', distanceUnit: 'mi', currency: 'USD' });
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The dialog over three past routes; the days it asks for are noted. */
function open(days: (string | null)[]): void {
  vi.stubGlobal('fetch', async (input: string) => {
    const { pathname, searchParams } = new URL(input, 'http://test');
    const withStops = (one: (typeof past)[number]) => ({
      ...one,
      stops: one.id === 2 ? [stop(1, null)] : [stop(1, '2026-01-04T08:10:00Z'), stop(2, '2026-01-04T08:50:00Z')],
    });
    if (pathname === '/api/routes/page')
      return Response.json({ rows: past, total: past.length, from: 1, next: null, previous: null });
    if (pathname !== '/api/scheduled-routes') return Response.json(withStops(route(1, '2026-01-03')));
    days.push(searchParams.get('date'));
    return Response.json(past.filter(({ date }) => date === searchParams.get('date')).map(withStops));
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <HistoryDialog today="2026-01-05" onClose={() => {}} />
    </QueryClientProvider>,
  );
}

it('every past route is taken away with what was planned and driven, a day at a time', async () => {
  const days: (string | null)[] = [];
  const files: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file);
    return 'blob:file';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  open(days);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Export route history' }));
  await user.click(await screen.findByRole('button', { name: 'CSV' }));
  await waitFor(() => expect(files).toHaveLength(1));
  const lines = (await files[0]?.text())?.trim().split('\r\n');
  expect(lines?.slice(1).map((line) => line.split(',').slice(0, 2).join())).toEqual([
    '2026-01-04,Round 3',
    '2026-01-04,Round 2',
    '2026-01-03,Round 1',
  ]);
  expect(lines?.[1]).toContain('"Sam, Driver",,completed,2,2,12.3,12.3,90,105');
  expect(lines?.[2]).toContain('completed,2,2,12.3,,90,105');
  expect(days).toEqual(['2026-01-04', '2026-01-03']);
});

it('tells what was driven beside what was planned on a phone too, where it has no columns of its own', async () => {
  open([]);
  const [first, second] = await screen.findAllByRole('row', { name: /Round/ });
  await waitFor(() => expect(first?.textContent).toContain('Actual 7.7 mi'));
  expect(first?.textContent).toContain('Actual 1h 45m');
  expect(second?.textContent).not.toContain('Actual Not recorded');
});

it.each([
  { distanceUnit: 'mi', planned: '7.7 mi' },
  { distanceUnit: 'km', planned: '12.3 km' },
] as const)('distances are in the unit the operator counts in: $distanceUnit', async ({ distanceUnit, planned }) => {
  setOperatorFormats({ timeZone: 'UTC', distanceUnit, currency: 'USD' });
  open([]);
  const [first] = await screen.findAllByRole('row', { name: /Round/ });
  await waitFor(() => expect(first?.textContent).toContain(`Actual ${planned}`));
  expect(first?.textContent).not.toContain(distanceUnit === 'mi' ? ' km' : ' mi');
});
