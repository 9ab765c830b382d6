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
