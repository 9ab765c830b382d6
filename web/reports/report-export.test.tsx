// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { SalesReport } from '../../contract/reports.ts';
import { createQueryClient } from '../http/query-client.ts';
import { ReportsScreen } from './reports-screen.tsx';

const user = userEvent.setup();

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const salesOf = (units: number): SalesReport => ({
  ...{ range: { from: '2026-03-06', to: '2026-03-12' }, before: { from: '2026-02-27', to: '2026-03-05' } },
  ...{ by: 'product', units, unitsBefore: 0, amount: '60.00', amountBefore: '40.00' },
  ...{ margin: '20.00', costedAmount: '50.00', foreignUnits: 0 },
  days: [{ day: '2026-03-12', units, amount: '60.00', amountBefore: '40.00' }],
  groups: { rows: [], total: 0, from: 0, next: null, previous: null },
});

test('while another range is on its way, the sums of the one before are not saved under its name', async () => {
  let answer = (_: Response): void => {};
  const quarter = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  vi.stubGlobal('fetch', async (path: string) => {
    if (path.startsWith('/api/reports/sales')) {
      return path.includes('range=quarter') ? (await quarter).clone() : Response.json(salesOf(30));
    }
    return Response.json([]);
  });
  const files: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    files.push(file as Blob);
    return 'blob:here';
  });
  window.history.replaceState(null, '', '/reports?type=sales');
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ReportsScreen />
    </QueryClientProvider>,
  );
  const button = await screen.findByRole('button', { name: 'Export Report' });
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  await user.click(screen.getByRole('button', { name: 'Quarter' }));
  await user.click(button);
  answer(Response.json(salesOf(300)));
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  await user.click(button);
  await waitFor(() => expect(files.length).toBeGreaterThan(0));
  const saved = await Promise.all(files.map(async (file) => JSON.parse(await file.text())));
  expect(saved.map(({ timeRange, data }) => [timeRange, data.units])).toEqual([['quarter', 300]]);
});
