// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CashBag, PaymentDifference, ReconciliationReport } from '../../contract/reconciliation.ts';
import { refusal, show } from '../integrations/testing/office.tsx';
import { closeScreen, message, type Replies, type Sent, stubServer } from '../integrations/testing/replies.ts';
import { Reconciliation } from './reconciliation.tsx';

const user = userEvent.setup();
const difference = (key: string, fields: Partial<PaymentDifference> = {}): PaymentDifference => ({
  ...{ key, kind: 'payment-without-sale', title: 'Card payment without a sale', cause: 'The machine did not tell it.' },
  ...{ resolution: 'Accept the payment as income', reference: key, location: null, amount: '4.00' },
  ...{ at: '2026-03-05T17:00:00.000Z', ageDays: 9, settled: null, ...fields },
});
const bag: CashBag = {
  ...{ visitId: 'v1', bagNumber: 'BAG-2', location: { type: 'market', id: 4, name: 'Plaza' }, route: '101' },
  ...{ driver: 'Ada', since: '2026-03-01T17:00:00.000Z', at: '2026-03-08T17:00:00.000Z', expected: '3.50' },
  ...{ counted: null, difference: null },
};
const report = (fields: Partial<ReconciliationReport> = {}): ReconciliationReport => ({
  ...{
    range: { from: '2026-02-11', to: '2026-03-12' },
    salesFrom: null,
    sales: 4,
    payments: 5,
    pairs: 4,
    pending: 0,
    failed: 0,
    payouts: 0,
    open: 1,
  },
  ...{ openAmount: '4.00', settled: 0, differences: [], bags: [], byRoute: [], byDriver: [], ...fields },
});
const wish = { tab: 'reconciliation', span: 'month', from: null, to: null } as const;
const path = 'GET /api/reconciliation?range=month';

let replies: Replies;
let sent: Sent[];
beforeEach(() => {
  const location = { type: 'market' as const, id: 4, name: 'Plaza' };
  replies = { [path]: report({ differences: [difference('R-1', { location })], bags: [bag] }) };
  sent = stubServer(() => replies);
});
afterEach(closeScreen);

test('a difference has its age, its likely cause and the place it is about', async () => {
  show(<Reconciliation wish={wish} />);
  const row = within((await screen.findByText('Card payment without a sale')).closest('li') as HTMLElement);
  expect(row.getByText(/9 days old/)).toBeDefined();
  expect(row.getByText('The machine did not tell it.')).toBeDefined();
  expect(row.getByRole('link', { name: 'Plaza' }).getAttribute('href')).toBe('/markets/4');
  expect(screen.getByText('1 open, 0 accepted')).toBeDefined();
});

test('payments that are neither matched nor different are told for what they are', async () => {
  replies[path] = report({ payments: 8, pairs: 4, pending: 1, failed: 2 });
  show(<Reconciliation wish={wish} />);
  expect(await screen.findByText('4 matched, 1 pending, 2 failed')).toBeDefined();
  cleanup();
  replies[path] = report({ payments: 4, pairs: 4 });
  show(<Reconciliation wish={wish} />);
  expect(await screen.findByText('4 matched')).toBeDefined();
});

test('of many cash bags the first are shown, and more at each wish', async () => {
  const bags = Array.from({ length: 60 }, (_, n) => ({ ...bag, visitId: `v${n}`, bagNumber: `BAG-${n}` }));
  replies[path] = report({ bags });
  show(<Reconciliation wish={wish} />);
  expect(await screen.findAllByText(/^BAG-/)).toHaveLength(25);
  await user.click(screen.getByRole('button', { name: 'Show More' }));
  expect(screen.getAllByText(/^BAG-/)).toHaveLength(50);
  await user.click(screen.getByRole('button', { name: 'Show More' }));
  expect(screen.getAllByText(/^BAG-/)).toHaveLength(60);
  expect(screen.queryByRole('button', { name: 'Show More' })).toBeNull();
});

test('one click accepts it, and another takes that back', async () => {
  replies['POST /api/reconciliation/settle'] = () => {
    const settled = { by: 'Ada', at: '2026-03-12T15:00:00.000Z', note: null };
    replies[path] = report({ open: 0, settled: 1, differences: [difference('R-1', { settled })] });
    return { key: 'R-1' };
  };
  replies['POST /api/reconciliation/reopen'] = { key: 'R-1' };
  show(<Reconciliation wish={wish} />);
  await user.click(await screen.findByRole('button', { name: 'Accept the payment as income' }));
  expect(await screen.findByText(/Accepted by Ada/)).toBeDefined();
  expect(sent.find(({ line }) => line.endsWith('/settle'))?.body).toEqual({
    ...{ key: 'R-1', kind: 'payment-without-sale', at: '2026-03-05T17:00:00.000Z' },
  });
  await user.click(screen.getByRole('button', { name: 'Reopen' }));
  await expect.poll(message).toContain('Difference open again');
});

test('an acceptance that is refused says why and changes nothing', async () => {
  replies['POST /api/reconciliation/settle'] = refusal(409, 'Somebody else accepted it.');
  show(<Reconciliation wish={wish} />);
  await user.click(await screen.findByRole('button', { name: 'Accept the payment as income' }));
  await expect.poll(message).toBe('Not saved: Somebody else accepted it.');
  expect(screen.getByText('Open')).toBeDefined();
});

test.each(['12,50', '$3.25', '-1', '3.255'])(
  'what is no amount of a bag, such as %s, is told what to type',
  async (typed) => {
    show(<Reconciliation wish={wish} />);
    const box = await screen.findByRole('textbox', { name: 'Counted in BAG-2' });
    await user.type(box, typed);
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toBe('Enter the amount such as 12.50.');
    expect(box.getAttribute('aria-describedby')).toBe(alert.id);
    await user.clear(box);
    await user.type(box, '12.');
    expect(screen.queryByRole('alert')).toBeNull();
  },
);

test('a bag takes an amount only, and tells over and short', async () => {
  replies['PUT /api/reconciliation/cash/v1'] = () => {
    replies[path] = report({ bags: [{ ...bag, counted: '3.25', difference: '-0.25' }] });
    return { visitId: 'v1', counted: '3.25' };
  };
  show(<Reconciliation wish={wish} />);
  const field = await screen.findByLabelText('Counted in BAG-2');
  const save = screen.getByRole('button', { name: 'Save' }) as HTMLButtonElement;
  await user.type(field, 'three');
  expect([field.getAttribute('aria-invalid'), save.disabled]).toEqual(['true', true]);
  await user.clear(field);
  await user.type(field, '3.25{Enter}');
  expect(await screen.findByText('−$0.25 short')).toBeDefined();
});

test('over and short of a route has a cell of its own for each figure', async () => {
  const sums = { bags: 2, expected: '7.00', counted: '6.50', difference: '-0.50' };
  replies[path] = report({ byRoute: [{ name: 'Route 101', ...sums }], byDriver: [{ name: 'Ada', ...sums }] });
  show(<Reconciliation wish={wish} />);
  const table = within(await screen.findByRole('table', { name: 'Over and short by route' }));
  expect(table.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    'Route',
    'Bags',
    'Expected',
    'Counted',
    'Difference',
  ]);
  const cells = (row: HTMLElement | undefined) => [...(row?.children ?? [])].map((cell) => cell.textContent);
  expect(cells(table.getAllByRole('row')[1])).toEqual(['Route 101', '2', '$7.00', '$6.50', '−$0.50']);
  expect(screen.getByRole('table', { name: 'Over and short by driver' })).toBeDefined();
});

test('a payout file is read, and odd lines are named', async () => {
  replies['POST /api/reconciliation/payouts'] = {
    added: 2,
    known: 1,
    refused: [{ line: 5, reason: 'has no reference' }],
  };
  show(<Reconciliation wish={wish} />);
  await user.click(await screen.findByRole('button', { name: 'Import Payouts' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.selectOptions(dialog.getByLabelText('Paid out by'), 'nayax');
  await user.upload(
    dialog.getByLabelText('Payout file'),
    new File(['Reference,Amount,Date\n'], 'p.csv', { type: 'text/csv' }),
  );
  await expect
    .poll(message)
    .toContain('2 lines new, 1 known already and not counted again. Left out: line 5 has no reference.');
  expect(sent.find(({ line }) => line.endsWith('/payouts'))?.body).toMatchObject({ system: 'nayax', name: 'p.csv' });
});

test('of a file that was taken in before it is said that nothing of it was new', async () => {
  replies['POST /api/reconciliation/payouts'] = { added: 0, known: 3, refused: [] };
  show(<Reconciliation wish={wish} />);
  await user.click(await screen.findByRole('button', { name: 'Import Payouts' }));
  const file = new File(['Reference,Amount,Date\n'], 'p (1).csv', { type: 'text/csv' });
  await user.upload(within(await screen.findByRole('dialog')).getByLabelText('Payout file'), file);
  await expect.poll(message).toContain('Nothing new in this file');
  expect(message()).toContain('0 lines new, 3 known already and not counted again.');
});

test('nothing to compare, all matching and not loading are three different things', async () => {
  replies[path] = report({ sales: 0, payments: 0, pairs: 0, open: 0 });
  show(<Reconciliation wish={wish} />);
  expect(await screen.findByText('Nothing to compare in these days')).toBeDefined();
  closeScreen();
  replies[path] = report({ open: 0 });
  stubServer(() => replies);
  show(<Reconciliation wish={wish} />);
  expect(await screen.findByText('Everything matches')).toBeDefined();
  closeScreen();
  replies[path] = refusal(400, 'These days hold too many payments to compare at once. Choose fewer days.');
  stubServer(() => replies);
  show(<Reconciliation wish={wish} />);
  expect(await screen.findByText(/too many payments/)).toBeDefined();
});

test('where sales are in files it is said of the differences and of the bag', async () => {
  const salesFrom = '2026-03-01';
  replies[path] = report({ open: 0, salesFrom, bags: [{ ...bag, expected: null }] });
  show(<Reconciliation wish={wish} />);
  expect((await screen.findByText(/^Sales before/)).textContent).toMatch(
    /^Sales before Mar 1, 2026 were moved to files/,
  );
  expect(screen.getByText('Sales are in files')).toBeDefined();
  expect(screen.queryByText('First bag')).toBeNull();
});

test('who may only read accepts nothing', async () => {
  show(<Reconciliation wish={wish} />, 'field_worker');
  expect(await screen.findByText('Card payment without a sale')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Accept the payment as income' })).toBeNull();
  expect(screen.getByText('Not counted')).toBeDefined();
});
