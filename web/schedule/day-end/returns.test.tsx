// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { buildRoute, buildStop, startPhone, stopPhones } from '../testing/schedule-phone.tsx';

afterEach(stopPhones);

/** Its pick list knows of the stops 1 to 3 alone, with 7 units of Cola for each. */
const endOfDay = (ids: readonly number[]) =>
  startPhone(
    [buildRoute({ status: 'completed', stops: ids.map((id) => buildStop(id, { completed: true })) })],
    '&end=1',
  );

test('a product that is among what comes back already is one more of it, however it is written', async () => {
  await endOfDay([1]);
  expect(await screen.findByText('Not needed: 7')).toBeDefined();
  await userEvent.type(screen.getByLabelText('Another product'), 'cola ');
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('Not needed: 8')).toBeDefined();
  await userEvent.type(screen.getByLabelText('Another product'), 'Water');
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('Not needed: 9')).toBeDefined();
  expect(screen.getAllByRole('listitem').map((line) => line.textContent)).toEqual(['Cola', 'Water']);
});

test('what was loaded and is not on the phone is not told as nothing', async () => {
  await endOfDay([4, 5]);
  expect(
    await screen.findByText(/^What was loaded for 2 stops is not on this device: it is missing here\./),
  ).toBeDefined();
  expect(screen.queryByText(/Nothing is expected/)).toBeNull();
});

test('of several stops the one whose load is not on the phone is told beside what comes back', async () => {
  await endOfDay([1, 4]);
  expect(await screen.findByText('Not needed: 7')).toBeDefined();
  expect(screen.getByText(/^What was loaded for 1 stop is not on this device/)).toBeDefined();
});
