import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { button, open, report, runs, server, upload, withImportServer } from './testing/import-server.tsx';

const user = userEvent.setup();
withImportServer();

test('after a change the file is checked anew, and two columns cannot mean the same', async () => {
  open('?file=7&kind=products');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  await user.click(button('Check'));
  expect(await screen.findByText('What would happen')).toBeTruthy();
  await user.selectOptions(screen.getByLabelText('What What means'), 'barcode');
  expect(screen.queryByText('What would happen')).toBeNull();
  expect(screen.getByText('Code means this too: choose one')).toBeTruthy();
  expect([button('Check').disabled, button('Import').disabled]).toEqual([true, true]);
});

test('read as sales, currency and machine can be said', async () => {
  open('?file=7&kind=sales');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  const currency = screen.getByLabelText(/^Currency/);
  await user.clear(currency);
  await user.type(currency, 'eur');
  await user.type(screen.getByLabelText(/^Machine ID/), 'M-1');
  await user.click(button('Check'));
  await screen.findByText('What would happen');
  expect(runs()).toMatchObject([{ kind: 'sales', currency: 'EUR', machine: 'M-1' }]);
});

test('a currency that there is not is told at its field', async () => {
  open('?file=7&kind=sales');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  server.refusal = 'There is no such currency';
  server.refusedFields = { currency: server.refusal };
  await user.click(button('Check'));
  await screen.findByRole('alert');
  const field = screen.getByLabelText(/^Currency/);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(server.refusal);
});

test.each([
  ['2022-01-01', '2022-08-31', '2022-01-01'],
  // A report tells at most 366 days.
  ['2024-03-01', '2025-03-23', '2024-03-23'],
])('imported sales are opened in the report of their own days: %s to %s', async (firstDay, lastDay, from) => {
  const sales = { transactions: 3, units: 3, currency: 'USD', amount: '7.50', machinesCreated: [] };
  server.outcome = {
    ...{ ...report, kind: 'sales', flagged: [] },
    sales: { ...sales, firstDay, lastDay },
  };
  open('?file=7&kind=sales');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  await user.click(button('Check'));
  await screen.findByText('What would happen');
  await user.click(button('Import'));
  expect((await screen.findByRole('link', { name: 'Open Reports' })).getAttribute('href')).toBe(
    `/reports?type=sales&range=custom&from=${from}&to=${lastDay}`,
  );
});

test('a file that does not say where its places are is told so, and what can be done', async () => {
  server.offered = {
    ...upload,
    needs: [
      ['latitude', 'geometry'],
      ['longitude', 'geometry'],
    ],
  };
  open('?file=7&kind=locations');
  expect(await screen.findByText(/add them to the file, or the places by hand/)).toBeTruthy();
  expect(button('Check').disabled).toBe(true);
});

test('a second column of one name is offered with its number, and says whose name it has', async () => {
  const second = { name: 'Code (2)', sameAs: 'Code', samples: ['12'], field: null };
  server.offered = { ...upload, columns: [...upload.columns, second, { ...second, name: 'Column 4', sameAs: '' }] };
  open('?file=7&kind=products');
  expect(await screen.findByText('Another column called Code')).toBeTruthy();
  expect(screen.getByText('Has no name in the file')).toBeTruthy();
  await user.selectOptions(screen.getByLabelText('What Code (2) means'), 'barcode');
  await user.click(button('Check'));
  await screen.findByText('What would happen');
  expect(runs()).toMatchObject([{ map: { Code: null, 'Code (2)': 'barcode' } }]);
});

test.each([
  [
    ['latitude', 'longitude'],
    ['longitude', 'latitude'],
  ],
  [
    ['geometry', 'name'],
    ['latitudeFirst', 'name'],
  ],
])('points that look swapped are said, and %j becomes %j by one button, checked anew', async (found, after) => {
  const columns = found.map((field, n) => ({ name: `C${n}`, sameAs: null, samples: ['1'], field }));
  server.offered = {
    ...upload,
    fields: ['name', 'latitude', 'longitude', 'geometry', 'latitudeFirst'],
    needs: [],
    columns,
  };
  server.outcome = { ...report, kind: 'locations', swapped: true };
  open('?file=7&kind=locations');
  await user.click(await screen.findByRole('button', { name: 'Check' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Latitude and longitude look swapped');
  server.outcome = { ...server.outcome, swapped: false };
  await user.click(button('Swap them'));
  await vi.waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(runs()).toMatchObject([
    { dryRun: true, map: { C0: found[0], C1: found[1] } },
    { dryRun: true, map: { C0: after[0], C1: after[1] } },
  ]);
  expect((screen.getByLabelText('What C0 means') as HTMLSelectElement).value).toBe(after[0]);
});
