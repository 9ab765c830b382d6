// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { giveCode, listWaiting } from '../field-inventory/barcodes/waiting-codes.ts';
import { buildRoute, buildStop, startPhone, stopPhones } from './testing/schedule-phone.tsx';

afterEach(stopPhones);

test('a route whose name is cut short has it whole on hover', async () => {
  const name = 'Tamika Whitlock 2026-11-29';
  const phone = await startPhone([buildRoute({ name })]);
  await phone.open('', false);
  expect((await screen.findAllByText(name)).map(({ title }) => title)).toContain(name);
});

test('a route of one stop is not one of several', async () => {
  await startPhone([buildRoute({ stops: [buildStop(1)] })]);
  expect(await screen.findByText('1 stop')).toBeDefined();
  expect(screen.queryByText('1 stops')).toBeNull();
});

test('a barcode that was given without a network goes out while the schedule is looked at', async () => {
  const phone = await startPhone([buildRoute()]);
  phone.goOffline();
  await act(() => giveCode(phone.offline, { code: '5901234123457', userId: 1, productId: 1, productName: 'Cola' }));
  expect(await listWaiting(phone.offline, 1)).toHaveLength(1);
  await phone.goOnline();
  await waitFor(async () => expect(await listWaiting(phone.offline, 1)).toEqual([]));
  expect(phone.barcodes).toEqual([{ barcode: '5901234123457' }]);
});

test('an address that names no day there is opens today', async () => {
  await startPhone([buildRoute()], '', true);
  act(() => window.history.replaceState(null, '', '/daily-schedule?date=tomorrow'));
  expect(await screen.findByRole('heading', { name: "Today's Routes" })).toBeDefined();
  expect(await screen.findByText('Place 1')).toBeDefined();
});

test('on a phone whose clock is a day ahead the day is the server’s', async () => {
  const phone = await startPhone([buildRoute()]);
  phone.clock.nowMs += 24 * 3_600_000;
  const ahead = { lastServerTime: '2026-03-02T23:00:00.000Z', clockOffsetMs: -24 * 3_600_000 };
  await phone.offline.store.write(['meta'], (tx) => tx.objectStore('meta').put({ key: 'contact', value: ahead }));
  phone.goOffline();
  await phone.open('', true);
  act(() => window.history.replaceState(null, '', '/daily-schedule?date=unknown'));
  expect(await screen.findByRole('heading', { name: "Today's Routes" })).toBeDefined();
  expect(await screen.findByText('Place 1')).toBeDefined();
});

test('the way back to the depot says by how much traffic delays it, and which', async () => {
  const depot = { name: 'North depot', latitude: '40.7', longitude: '-74' };
  const wayHome = { incidents: [7, 8], delay: 420 };
  const stops = [buildStop(1), buildStop(2)];
  await startPhone([buildRoute({ stops, depot, wayHome })]);
  const label = await screen.findByText('Way back to North depot:');
  expect(label.parentElement?.textContent).toBe('Way back to North depot: +7 min, an incident · an incident');
});

test('a stop says by how much traffic delays it, until it is done', async () => {
  const late = { incidents: [7], delay: 300 };
  const stops = [buildStop(1, { ...late, completed: true, delay: 900 }), buildStop(2, late), buildStop(3)];
  await startPhone([buildRoute({ stops })]);
  expect(await screen.findByText('+5 min, an incident')).toBeDefined();
  expect(screen.queryAllByText(/min, an incident/)).toHaveLength(1);
  fireEvent.click(screen.getAllByRole('button', { name: /Place 2/ })[0] as HTMLElement);
  expect(await screen.findByRole('region', { name: 'Place 2' })).toBeDefined();
  expect(screen.getByText('+5 min, an incident')).toBeDefined();
});
