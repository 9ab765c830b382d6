// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { buildRoute, buildStop, startPhone, stopPhones } from '../testing/schedule-phone.tsx';

afterEach(stopPhones);

const stops = [buildStop(1, { incidents: [5], delay: 720 }), buildStop(2)];

test('a delay names its incident on a phone that was opened without a network', async () => {
  const phone = await startPhone([buildRoute({ status: 'in_progress', stops })]);
  phone.incidents = [{ id: 5, title: 'Bridge closed' }];
  await phone.goOnline();
  phone.goOffline();
  await phone.open('', false);
  expect(await screen.findByText('+12 min, Bridge closed')).toBeDefined();
});

test('an incident that the phone never heard of is an incident all the same', async () => {
  const phone = await startPhone([buildRoute({ status: 'in_progress', stops })]);
  phone.goOffline();
  await phone.open('', false);
  expect(await screen.findByText('+12 min, an incident')).toBeDefined();
});
