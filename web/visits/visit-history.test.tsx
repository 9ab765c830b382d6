import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Visit } from '../../contract/visits.ts';
import { createQueryClient } from '../http/query-client.ts';
import { ExportVisits } from './export-visits.tsx';
import { VisitHistory } from './visit-history.tsx';

const hashOf = (digit: string) => digit.repeat(64);

function buildVisit(serial: number, over: Partial<Visit> = {}): Visit {
  return {
    id: `visit-${serial}`,
    type: 'vending_machine',
    locationId: 7,
    routeId: null,
    stopId: null,
    personName: 'Maria Lopez',
    openedAt: `2026-11-${String(20 - serial).padStart(2, '0')}T14:05:00.000Z`,
    closedAt: null,
    minutes: 12,
    note: null,
    bagNumber: null,
    refunds: null,
    photos: [],
    latitude: null,
    longitude: null,
    lines: [],
    ...over,
  };
}

function buildLine(itemId: number, over: Partial<Visit['lines'][number]> = {}): Visit['lines'][number] {
  return {
    itemType: 'machine_slot',
    itemId,
    productName: `Product ${itemId}`,
    slotNumber: `A${itemId}`,
    beginning: 4,
    adds: 7,
    removed: 0,
    spoiled: 1,
    spoiledBy: { expired: 1 },
    ending: 10,
    ...over,
  };
}

const page = (visits: Visit[], more = false) => ({
  visits,
  more,
  total: visits.length + Number(more),
  currency: 'USD',
});

/** The server's answers by the address asked for; what fails is a status. */
function start(answer: (query: URLSearchParams) => object | number): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url);
    const said = answer(new URL(url, 'http://run').searchParams);
    if (typeof said !== 'number') return Promise.resolve(Response.json(said));
    return Promise.resolve(Response.json({ detail: 'The server rests.', code: 'unavailable' }, { status: said }));
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ExportVisits place={{ type: 'vending_machine', id: 7 }} />
      <VisitHistory type="vending_machine" id={7} />
    </QueryClientProvider>,
  );
  return asked;
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('shows who was there, for how long, the five numbers, and what was noted', async () => {
  const visit = buildVisit(1, {
    note: 'Door sticks',
    bagNumber: 'B-117',
    refunds: '2.50',
    latitude: '39.95000000',
    longitude: '-75.16000000',
    lines: [
      buildLine(1, { reasons: ['manual_count', 'barcode_scan'] }),
      buildLine(2, { spoiled: 0, spoiledBy: {}, ending: 11 }),
    ],
  });
  start(() => page([visit]));
  const [card] = within(await screen.findByLabelText('Past visits')).getAllByRole('listitem');
  expect(card?.textContent).toContain('Maria Lopez, 12 min');
  expect(card?.textContent).toContain('Found8Added14Removed0Spoiled1Left21');
  expect(card?.textContent).toContain('Spoiled1 expired');
  expect(card?.textContent).toContain('B-117');
  expect(card?.textContent).toContain('$2.50');
  expect(card?.textContent).toContain('Door sticks');
  expect(card?.textContent).toContain('Position39.950, -75.160');
  expect(screen.getAllByRole('row', { hidden: true })).toHaveLength(3);
  expect(card?.textContent).toContain('Product 1manual count, barcode scan');
});

it('a number that one product lacks is not added up from the others', async () => {
  start(() => page([buildVisit(1, { lines: [buildLine(1), buildLine(2, { beginning: null })] })]));
  const [card] = within(await screen.findByLabelText('Past visits')).getAllByRole('listitem');
  expect(card?.textContent).toContain('Found–');
});

it('asks for older visits from the last one shown, until there are no more', async () => {
  const asked = start((query) =>
    query.get('before') ? page([buildVisit(2, { personName: 'Older Person' })]) : page([buildVisit(1)], true),
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Show older visits' }));
  expect(await screen.findByText(/Older Person/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Show older visits' })).toBeNull();
  expect(asked).toHaveLength(2);
  expect(new URL(asked[1] ?? '', 'http://run').searchParams.get('before')).toBe('2026-11-19T14:05:00.000Z');
});

it('no visits are said to be none', async () => {
  start(() => page([]));
  expect(await screen.findByText('No visits yet')).toBeDefined();
});

it('a failure has its sentence, and another try', async () => {
  let isDown = true;
  start(() => (isDown ? 503 : page([buildVisit(1)])));
  expect((await screen.findByRole('alert')).textContent).toContain('The server rests.');
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/Maria Lopez/)).toBeDefined();
});

it('photos open large, one after the other; those not on the server are told of', async () => {
  const photos = [
    { hash: hashOf('a'), isThere: true },
    { hash: hashOf('b'), isThere: true },
    { hash: hashOf('c'), isThere: false },
  ];
  start(() => page([buildVisit(1, { photos, openedAt: new Date().toISOString() })]));
  expect(await screen.findByText("1 photo still on the driver's phone.")).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: /^Photo 1 of/ }));
  const dialog = await screen.findByRole('dialog');
  const source = () => within(dialog).getByRole('img').getAttribute('src');
  expect(source()).toBe(`/api/photos/${hashOf('a')}`);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Next' }));
  expect(source()).toBe(`/api/photos/${hashOf('b')}`);
});

it('a photo past its time is said to be deleted', async () => {
  const photos = [{ hash: hashOf('a'), isThere: false }];
  start(() => page([buildVisit(1, { photos, openedAt: '2020-01-01T00:00:00Z' })]));
  expect(await screen.findByText('1 photo deleted: photos are kept for 180 days.')).toBeDefined();
});

it('every visit is taken away with its numbers, those not shown yet too', async () => {
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${saved.push(blob as Blob)}`);
  const lines = [buildLine(1), buildLine(2)];
  const note = '=HYPERLINK("x")';
  start((query) =>
    query.get('before')
      ? page([buildVisit(2, { personName: 'Older Person', note })])
      : page([buildVisit(1, { lines, refunds: '2.50' })], true),
  );
  await screen.findByLabelText('Past visits');
  fireEvent.click(screen.getByRole('button', { name: 'Export' }));
  await screen.findByRole('heading', { name: 'Export 2 visits' });
  fireEvent.click(screen.getByRole('button', { name: 'CSV' }));
  await vi.waitFor(() => expect(screen.queryByRole('heading', { name: 'Export 2 visits' })).toBeNull());
  expect(saved).toHaveLength(1);
  const [, first, second] = (await saved[0]?.text())?.split('\r\n') ?? [];
  expect(first).toBe('2026-11-19T14:05:00.000Z,,12,Maria Lopez,2,8,14,0,2,2 expired,20,,2.50,,0,,');
  expect(second).toContain('Older Person,0,0,0,0,0,,0,,,"\'=HYPERLINK(""x"")"');
});
