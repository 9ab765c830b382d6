// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { buildRoute, buildStop, startPhone, stopPhones } from '../testing/schedule-phone.tsx';

afterEach(stopPhones);

test('a stop says that its door will be shut, and not any more once it is settled', async () => {
  const shut = { estimatedArrival: '2026-03-02T11:00:00.000Z', closesAt: '2026-03-02T10:30:00.000Z' };
  const phone = await startPhone([buildRoute({ status: 'in_progress', stops: [buildStop(1, shut)] })], '&stop=1');
  expect(await screen.findByText(/^Closed since/)).toBeDefined();
  phone.goOffline();
  fireEvent.click(screen.getByRole('button', { name: 'Skip' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Closed' }));
  expect(await screen.findByText('Skipped: Closed')).toBeDefined();
  expect(screen.queryByText(/^Closed since/)).toBeNull();
});
