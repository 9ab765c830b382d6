// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Payment, PaymentReport, PaymentTotals } from '../../contract/payments.ts';
import { refusal, show } from '../integrations/testing/office.tsx';
import { closeScreen, type Replies, type Sent, stubServer } from '../integrations/testing/replies.ts';
import { ToastHost } from '../ui/toasts/toast-host.tsx';
import { PaymentReportsScreen } from './payment-reports-screen.tsx';

const user = userEvent.setup();
const totals = (lines: number, revenue: string): PaymentTotals => ({
  ...{ lines, units: lines, completed: lines, failed: 0, pending: 0, refunded: 0, revenue, cash: '0.00' },
  ...{ cashless: revenue, refunds: '0.00', fees: null, feeLines: 0 },
});
const report = (lines: number, revenue: string): PaymentReport => ({
  range: { from: '2026-02-11', to: '2026-03-12' },
  before: { from: '2026-01-12', to: '2026-02-10', lines: 0, revenue: '0.00' },
  currency: 'USD',
  total: totals(lines, revenue),
  systems: lines === 0 ? [] : [{ system: 'cantaloupe', ...totals(lines, revenue) }],
  known: ['cantaloupe', 'moma'],
  days: lines === 0 ? [] : [{ key: '2026-03-12', lines, revenue, systems: { cantaloupe: revenue } }],
  methods: lines === 0 ? [] : [{ key: 'credit', lines, revenue }],
  cardTypes: lines === 0 ? [] : [{ key: 'Mastercard', lines, revenue }],
  statuses: [],
  hours: Array.from({ length: 24 }, (_, hour) => ({ hour, lines: 0, revenue: '0.00' })),
  otherCurrencies: [],
});
const payment: Payment = {
  ...{ id: 'CT-77', system: 'cantaloupe', deviceId: 'VK1', location: null, productName: 'Cola', quantity: 1 },
  ...{ amount: '1.50', revenue: '0.00', fee: null, currency: 'USD', paymentMethod: 'credit', cardType: 'Mastercard' },
  ...{ lastFour: null, status: 'failed', refunded: false, date: '2026-03-12T15:00:00.000Z' },
};
const page = (...rows: object[]) => ({ rows, total: rows.length, next: null, previous: null });

let replies: Replies;
let sent: Sent[];
beforeEach(() => {
  replies = {
    'GET /api/payment-reports?range=month': report(1_200, '2400.50'),
    'GET /api/payment-reports?range=week': report(300, '600.25'),
    'GET /api/payment-reports?range=month&system=cantaloupe': report(40, '80.10'),
    'GET /api/payment-reports/locations?range=month': { places: 0, rows: [] },
    'GET /api/payment-reports/locations?range=week': { places: 0, rows: [] },
    'GET /api/payment-reports/locations?range=month&system=cantaloupe': { places: 0, rows: [] },
    'GET /api/payment-reports/transactions?range=month&limit=10': page(payment),
    'GET /api/payment-reports/transactions?range=week&limit=10': page(payment),
    'GET /api/payment-reports/transactions?range=month&system=cantaloupe&limit=10': page(payment),
  };
  sent = stubServer(() => replies);
});
afterEach(closeScreen);

const revenue = async (text: string) => within(await screen.findByRole('region', { name: 'Figures' })).findByText(text);
const button = (name: string) => screen.getByRole('button', { name }) as HTMLButtonElement;

test('the figures are the report’s; a failed payment is a row with its number, and brings nothing', async () => {
  show(<PaymentReportsScreen />);
  expect(await revenue('$2,400.50')).toBeDefined();
  expect(await revenue('1,200')).toBeDefined();
  const row = (await screen.findByText('CT-77')).closest('tr');
  expect(row?.textContent).toContain('Failed');
  // Its card stands in the row, and among the card types.
  expect(row?.textContent).toContain('Mastercard');
  expect(screen.getAllByText('Mastercard')).toHaveLength(2);
});

test('revenue by day names each day with its year, in the picture’s table too', async () => {
  show(<PaymentReportsScreen />);
  const chart = (await screen.findByRole('img', { name: 'Revenue by day' })).closest('figure') as HTMLElement;
  expect(within(chart).getByRole('cell', { name: 'Feb 11, 2026', hidden: true })).toBeTruthy();
});

test('money given back has a name where nobody tells for what', async () => {
  const refund = {
    ...payment,
    id: 'CT-78:refund-1',
    productName: null,
    amount: '-1.50',
    status: 'completed',
    refunded: true,
  };
  replies['GET /api/payment-reports/transactions?range=month&limit=10'] = page(refund);
  show(<PaymentReportsScreen />);
  const row = (await screen.findByText(/CT-78/)).closest('tr');
  const cells = within(row as HTMLElement).getAllByRole('cell');
  expect(cells[3]?.textContent).toBe('Refund');
  // On a phone the first cell says it, with the way of paying, which has no column there.
  expect(cells[0]?.textContent).toContain('Refund, Credit card');
});

test('a long name of a machine takes a second line on a phone', async () => {
  const place = { place: 'vending_machine:7', name: 'Orchard Square, emergency waiting room', location: null };
  const rows = [{ ...place, lines: 2, failed: 0, revenue: '3.00' }];
  replies['GET /api/payment-reports/locations?range=month'] = { places: 1, rows };
  show(<PaymentReportsScreen />);
  expect((await screen.findByText(/^Orchard Square/)).className).toContain('max-sm:whitespace-normal');
});

test('what was paid at a place stands figure by figure under its head', async () => {
  const place = { place: 'vending_machine:7', name: 'Harbour Lobby', location: { type: 'vending_machine', id: 7 } };
  const rows = [{ ...place, lines: 1200, failed: 3, revenue: '3100.50' }];
  replies['GET /api/payment-reports/locations?range=month'] = { places: 1, rows };
  show(<PaymentReportsScreen />);
  const row = within(await screen.findByRole('row', { name: /Harbour Lobby/ }));
  const [name, ...figures] = row.getAllByRole('cell').map((cell) => cell.textContent);
  expect(figures).toEqual(['$3,100.50', '1,200', '3']);
  // On a phone what failed stands below the name.
  expect(name).toBe('Harbour Lobby3 failed');
  expect(row.getByRole('link').getAttribute('href')).toBe('/vending-machines/7');
});

test('another range and another tab are asked of the server, and the address keeps them', async () => {
  show(<PaymentReportsScreen />);
  await revenue('$2,400.50');
  await user.selectOptions(screen.getByLabelText('Date range'), 'week');
  expect(await revenue('$600.25')).toBeDefined();
  await user.selectOptions(screen.getByLabelText('Date range'), 'month');
  await user.click(screen.getByRole('tab', { name: 'Cantaloupe' }));
  expect(await revenue('$80.10')).toBeDefined();
  expect(window.location.search).toContain('tab=cantaloupe');
  expect(screen.getAllByRole('tab').map((one) => one.textContent)).toEqual([
    ...['Overview', 'Cantaloupe', 'Nayax', 'MoMa 2.0', 'Comparison', 'Reconciliation'],
  ]);
});

test('which payments are listed stands in the address, and other days begin at their first page', async () => {
  const of = (rest: string) => `GET /api/payment-reports/transactions?${rest}`;
  replies[of('range=month&limit=10&status=failed&page=next')] = page(payment);
  replies[of('range=week&limit=10&status=failed')] = page({ ...payment, id: 'CT-78' });
  window.history.replaceState(null, '', '/payment-reports?status=failed&page=next');
  show(<PaymentReportsScreen />);
  expect(await screen.findByText('CT-77')).toBeDefined();
  expect(screen.getByLabelText<HTMLSelectElement>('Status').value).toBe('failed');
  await user.selectOptions(screen.getByLabelText('Date range'), 'week');
  expect(await screen.findByText('CT-78')).toBeDefined();
  await user.selectOptions(screen.getByLabelText('Status'), 'completed');
  expect(window.location.search).toContain('status=completed');
});

test('a list that is read again stays as readable as it was; that of other days is waited for', async () => {
  const line = 'GET /api/payment-reports/transactions?range=month&limit=10';
  const client = show(<PaymentReportsScreen />);
  expect(await screen.findByText('CT-77')).toBeDefined();
  const table = screen.getByRole('table', { name: 'Transactions' });
  replies[line] = () => new Promise(() => {});
  const asked = () => sent.filter((one) => one.line === line).length;
  const before = asked();
  void client.invalidateQueries();
  await waitFor(() => expect(asked()).toBe(before + 1));
  expect(table.getAttribute('aria-busy')).toBe('false');
  replies['GET /api/payment-reports/transactions?range=week&limit=10'] = () => new Promise(() => {});
  await user.selectOptions(screen.getByLabelText('Date range'), 'week');
  await waitFor(() => expect(table.getAttribute('aria-busy')).toBe('true'));
});

test('what is printed are the payments from the first on, not the page in sight; a tab without them prints at once', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  const of = (rest: string) => `GET /api/payment-reports/transactions?${rest}`;
  replies[of('range=month&limit=10&page=next')] = page({ ...payment, id: 'CT-78' });
  replies[of('range=month&limit=500')] = refusal(503, 'The database does not answer.');
  window.history.replaceState(null, '', '/payment-reports?page=next');
  show(
    <>
      <PaymentReportsScreen />
      <ToastHost />
    </>,
  );
  expect(await screen.findByText('CT-78')).toBeDefined();
  await user.click(button('Print'));
  expect(await screen.findByText('Not printed')).toBeDefined();
  expect(print).not.toHaveBeenCalled();
  const shown: string[] = [];
  print.mockImplementation(() => {
    shown.push(screen.queryByRole('table', { name: 'Transactions' })?.textContent ?? 'no table');
  });
  replies[of('range=month&limit=500')] = page(payment, { ...payment, id: 'CT-78' });
  await user.click(button('Print'));
  await waitFor(() => expect(print).toHaveBeenCalledTimes(1));
  expect(shown[0]).toMatch(/CT-77.*CT-78/);
  await user.click(screen.getByRole('tab', { name: 'Comparison' }));
  await user.keyboard('{Meta>}p{/Meta}');
  expect(shown.slice(1)).toEqual(['no table']);
});

test('a custom range that ends before it begins is refused with a sentence', async () => {
  window.history.replaceState(null, '', '/payment-reports?range=custom&from=2026-03-10&to=2026-03-01');
  const sentence = 'The last day is before the first. Choose a later one.';
  replies['GET /api/payment-reports?from=2026-03-10&to=2026-03-01'] = refusal(400, sentence);
  show(<PaymentReportsScreen />);
  expect((await screen.findByRole('alert')).textContent).toBe(sentence);
  expect(await screen.findByText('The report did not load')).toBeDefined();
});

test('days without a payment say so, and there is nothing to export', async () => {
  replies['GET /api/payment-reports?range=month'] = report(0, '0.00');
  show(<PaymentReportsScreen />);
  expect(await screen.findByText('No payments in these days')).toBeDefined();
  expect(await revenue('$0.00')).toBeDefined();
  expect(screen.getByText('None decided')).toBeDefined();
  expect(button('Export').disabled).toBe(true);
  const leadsTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  expect([leadsTo('Connect a system'), leadsTo('Import sales')]).toEqual([
    '/inventory?tab=integrations',
    '/import?kind=sales',
  ]);
});

test('export offers three files of exactly what is shown', async () => {
  show(<PaymentReportsScreen />);
  await revenue('$2,400.50');
  await user.click(button('Export'));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(
    ['csv', 'xlsx', 'json'].map((format) => `/api/payment-reports/export?range=month&format=${format}`),
  );
});

test('two ways of paying with one name are two bars, also after another tab', async () => {
  const twice = (lines: number) => [
    { key: 'credit', lines, revenue: '2.00' },
    { key: 'Credit card', lines: lines + 1, revenue: '1.00' },
  ];
  const all = 'GET /api/payment-reports?range=month';
  replies[all] = { ...report(9, '3.00'), methods: twice(5) };
  replies[`${all}&system=cantaloupe`] = { ...report(40, '80.10'), methods: twice(7) };
  show(<PaymentReportsScreen />);
  await revenue('$3.00');
  await user.click(screen.getByRole('tab', { name: 'Cantaloupe' }));
  await revenue('$80.10');
  const bars = screen.getByText('By payment method').closest('section')?.querySelectorAll('li');
  expect([...(bars ?? [])].map((bar) => bar.textContent)).toEqual([
    'Credit card$2.00 · 7 payments',
    'Credit card$1.00 · 8 payments',
  ]);
});

test('states tell their money first and then how many, as ways of paying do', async () => {
  const paid = report(9, '3.00');
  replies['GET /api/payment-reports?range=month'] = {
    ...paid,
    statuses: [{ key: 'failed', lines: 2, amount: '4.50' }],
  };
  show(<PaymentReportsScreen />);
  expect(await screen.findByText('$4.50 · 2 payments')).toBeDefined();
  expect(screen.getAllByText('$3.00 · 9 payments').length).toBeGreaterThan(0);
});

test('a report that does not load is tried again', async () => {
  replies['GET /api/payment-reports?range=month'] = refusal(503, 'The database does not answer.');
  show(<PaymentReportsScreen />);
  expect(await screen.findByText('The report did not load')).toBeDefined();
  replies['GET /api/payment-reports?range=month'] = report(1, '1.50');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await revenue('$1.50')).toBeDefined();
  expect(sent.filter(({ line }) => line === 'GET /api/payment-reports?range=month')).toHaveLength(2);
});
