// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { buildRoute, buildStop, startPhone, stopPhones } from './testing/schedule-phone.tsx';

afterEach(stopPhones);

test('a route of one stop is not one of several', async () => {
  await startPhone([buildRoute({ stops: [buildStop(1)] })]);
  expect(await screen.findByText('1 stop')).toBeDefined();
  expect(screen.queryByText('1 stops')).toBeNull();
});

test('an address that names no day there is opens today', async () => {
  await startPhone([buildRoute()], '', true);
  act(() => window.history.replaceState(null, '', '/daily-schedule?date=tomorrow'));
  expect(await screen.findByRole('heading', { name: "Today's Routes" })).toBeDefined();
  expect(await screen.findByText('Place 1')).toBeDefined();
});
