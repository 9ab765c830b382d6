// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { buildRoute, buildStop, startPhone, stopPhones } from './testing/schedule-phone.tsx';

afterEach(stopPhones);

const underWay = () =>
  buildRoute({
    status: 'in_progress',
    startedAt: '2026-03-02T05:00:00.000Z',
    stops: [
      buildStop(1, { completed: true, actualArrival: '2026-03-02T11:00:00.000Z' }),
      buildStop(2, { skippedReason: 'Closed' }),
      buildStop(3),
      buildStop(4),
    ],
  });

test('on a phone the stop that is on now is one touch away, past those that were done and skipped', async () => {
  const phone = await startPhone([underWay()]);
  phone.goOffline();
  fireEvent.click(await screen.findByRole('button', { name: 'Go to stop 3' }));
  const page = await screen.findByRole('region', { name: 'Place 3' });
  expect(within(page).getByRole('button', { name: 'Arrive' })).toBeDefined();
});

test('a route that is not under way, or whose stops are all settled, leads to none', async () => {
  const phone = await startPhone([buildRoute()]);
  await screen.findByRole('button', { name: 'Start Route' });
  expect(screen.queryByRole('button', { name: /^Go to stop/ })).toBeNull();
  phone.routes = [buildRoute({ status: 'in_progress', stops: [buildStop(1, { skippedReason: 'Closed' })] })];
  await phone.open('', false);
  expect(await screen.findByText('Skipped: Closed')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Go to stop/ })).toBeNull();
});

test('on a wide screen the stops stand beside the route', async () => {
  await startPhone([underWay()], '', true);
  expect(await screen.findByText('Skipped: Closed')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Go to stop/ })).toBeNull();
});

test('at the end of the day a route that is not completed is named, and its stops are a touch away', async () => {
  const phone = await startPhone([underWay()], '&end=1');
  expect(await screen.findByText('Route 101 is not completed: 2 stops are open.')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Back to the stops' }));
  expect(await screen.findByRole('button', { name: 'Go to stop 3' })).toBeDefined();
  phone.routes = [buildRoute({ status: 'completed' })];
  await phone.open('&end=1', false);
  expect(await screen.findByText('Nothing is unsent')).toBeDefined();
  expect(screen.queryByText(/is not completed/)).toBeNull();
});

test('a driver sees that the day is on the phone before the signal is lost, and where it is from after', async () => {
  const phone = await startPhone([underWay()]);
  expect(await screen.findByText(/^Also on this device, as of \d+:\d\d [AP]M/)).toBeDefined();
  phone.clock.nowMs += 24 * 3_600_000;
  await phone.open('', false);
  expect(await screen.findByText(/^Also on this device, as of Mar 2, 2026, \d+:\d\d [AP]M/)).toBeDefined();
  phone.goOffline();
  expect(await screen.findByText('From this device; the server is not reached.')).toBeDefined();
  phone.role = 'route_manager';
  await phone.goOnline();
  await phone.open('', false);
  expect(await screen.findByText('In progress')).toBeDefined();
  expect(screen.queryByText(/on this device/i)).toBeNull();
});
