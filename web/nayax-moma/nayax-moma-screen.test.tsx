// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import '../ui/testing.ts';
import type { Role } from '../../domain/permissions.ts';
import { formatDateTime, formatTime } from '../http/format.ts';
import {
  type Answer,
  buildConfig,
  nayaxSystem,
  office,
  pageOf,
  refusal,
  show,
} from '../integrations/testing/office.tsx';
import { toastStore } from '../ui/toasts/toast.ts';
import { NayaxMomaScreen } from './nayax-moma-screen.tsx';

const user = userEvent.setup();

beforeEach(() => window.history.replaceState(null, '', '/nayax-moma'));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

const nayax = {
  ...{
    id: 1,
    name: 'North',
    environment: 'sandbox',
    isActive: true,
    syncEnabled: true,
    status: 'active',
    problem: null,
    waitsUntil: null,
    nextSync: { when: 'now', at: null },
  },
  ...{ lastSync: null, devices: 2, unlinked: 1, run: null, createdAt: '2026-01-01T10:00:00.000Z', version: 3 },
  ...{ updatedAt: '2026-01-01T10:00:00.000Z', merchantId: '2000', hashCode: { configured: true, ending: 'ab' } },
  ...{ apiEndpoint: null, webhookPath: '/api/webhooks/nayax/x' },
};
const moma = { ...nayax, id: 2, name: 'Phone', apiKey: { configured: true, ending: 'cd' } };
const alert = {
  ...{
    id: 9,
    configId: 2,
    machineId: 'M1',
    alertType: 'Door',
    message: 'Door open',
    severity: 'high',
    resolved: false,
  },
  ...{ resolvedAt: null, raisedAt: '2026-01-05T09:00:00.000Z', machineName: 'Lobby', vendingMachineId: null },
};
const transaction = {
  ...{ id: 8, configId: 1, deviceId: 'D1', transactionId: '700', orderId: null, amount: '1.50', currency: 'USD' },
  ...{ paymentMethod: 'credit', cardType: 'Visa', lastFour: '5002', status: 'completed', productCode: null },
  ...{ productName: 'Gum', quantity: 1, transactionDate: '2026-01-05T09:00:00.000Z', processedAt: null },
  ...{ responseCode: null, responseMessage: null, metadata: null, machineName: 'Lobby', vendingMachineId: null },
};
const analytics = {
  today: { transactions: 4, revenue: '12.50' },
  devices: { nayax: 2, nayaxActive: 1, moma: 3, momaActive: 3 },
  ...{ days: 30, methods: [], open: { pending: 0, failed: 0 }, perDay: [], health: [] },
};

function open(answer: Answer = () => undefined, role?: Role) {
  const server = office((call) => {
    const given = answer(call);
    if (given !== undefined) return given;
    if (call.path === '/api/nayax/configs') return [nayax];
    if (call.path === '/api/moma/configs') return [moma];
    if (call.path === '/api/nayax-moma/analytics') return analytics;
    if (call.path === '/api/integrations/systems') return [nayaxSystem];
    if (call.path === '/api/integrations/configs') return [buildConfig()];
    if (call.path === '/api/demo/sandbox') return { url: null, credentials: {} };
    if (call.path === '/api/moma/alerts') return pageOf([alert]);
    return pageOf([]);
  });
  return { ...server, client: show(<NayaxMomaScreen />, role) };
}
const lastToast = () => toastStore.get()[0];
const card = (name: string) => screen.findByRole('article', { name });

test('a card syncs its own configuration and says what came of it', async () => {
  const { writes } = open(({ method }) =>
    method === 'POST' ? { configId: 1, synced: 2, booked: 1, held: 3, finished: true } : undefined,
  );
  await user.click(within(await card('North')).getByRole('button', { name: 'Sync' }));
  await vi.waitFor(() =>
    expect(lastToast()).toMatchObject({
      title: 'Sync Complete',
      description: 'North: 2 devices, 1 new sale, 3 to review',
    }),
  );
  expect(writes().map(({ path }) => path)).toEqual(['/api/nayax/configs/1/sync-devices']);
});

test('a deleted configuration leaves the address with the list that was open of it', async () => {
  window.history.replaceState(null, '', '/?config=1&list=transactions&q=gum');
  let isThere = true;
  open(({ method, path }) => {
    if (method === 'DELETE') isThere = false;
    if (method === 'DELETE') return { id: 1 };
    return path === '/api/nayax/configs' && !isThere ? [] : undefined;
  }, 'admin');
  await user.click(within(await card('North')).getByRole('button', { name: 'Delete' }));
  await user.click(await screen.findByRole('button', { name: 'Delete Configuration' }));
  expect(await screen.findByText('No configurations found')).toBeTruthy();
  expect(window.location.search).toBe('');
});

test('the address for notifications is there to be copied whole', async () => {
  open();
  await user.click(within(await card('North')).getByRole('button', { name: 'Copy address' }));
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/api/webhooks/nayax/x`);
  expect(lastToast()).toMatchObject({ title: 'Address copied' });
});

test('a sync that fails says what happened and what to do, and the card shows it', async () => {
  const sentence = 'Nayax Core refused the hash code. Make a new user token and enter it as the hash code.';
  open(({ method, path }) => {
    if (method === 'POST') return refusal(503, sentence);
    return path === '/api/nayax/configs' ? [{ ...nayax, status: 'error', problem: sentence }] : undefined;
  });
  expect(within(await card('North')).getByText(sentence)).toBeTruthy();
  await user.click(within(await card('North')).getByRole('button', { name: 'Sync' }));
  await vi.waitFor(() => expect(lastToast()).toMatchObject({ title: 'Sync Failed', description: sentence }));
});

test.each([
  ['records', 'North has much to tell: the card shows how far it is'],
  ['wait', 'North asks to wait and is asked again then: the card shows how far it is'],
  ['nothing', 'North does not answer and is asked on by itself: the card shows how far it is'],
])('a sync that goes on says what was heard of the partner: %s', async (heard, description) => {
  open(({ method }) => (method === 'POST' ? { synced: 1, booked: 0, held: 0, finished: false, heard } : undefined));
  await user.click(within(await card('North')).getByRole('button', { name: 'Sync' }));
  await vi.waitFor(() => expect(lastToast()).toMatchObject({ title: 'Sync Goes On', description }));
});

test('Sync All tells a partner that does not answer from one that brings much', async () => {
  const one = { synced: 1, booked: 0, held: 0, finished: false, state: 'going-on', error: null };
  open(({ path }) =>
    path === '/api/nayax-moma/sync-all'
      ? [
          { ...one, configId: 1, system: 'nayax', name: 'North', heard: 'nothing' },
          { ...one, configId: 2, system: 'moma', name: 'Phone', heard: 'records' },
        ]
      : undefined,
  );
  await user.click(await screen.findByRole('button', { name: 'Sync All' }));
  await vi.waitFor(() =>
    expect(lastToast()?.description).toBe(
      'Phone has much to tell. North does not answer and is asked on by itself. The cards show how far.',
    ),
  );
});

test('Sync All names each configuration that failed', async () => {
  const one = { synced: 1, booked: 0, held: 0, finished: true, system: 'nayax', configId: 1 };
  open(({ path }) =>
    path === '/api/nayax-moma/sync-all'
      ? [
          { ...one, name: 'North', state: 'failed', error: 'It does not answer.' },
          { ...one, name: 'Phone', state: 'done', error: null },
        ]
      : undefined,
  );
  await user.click(await screen.findByRole('button', { name: 'Sync All' }));
  await vi.waitFor(() =>
    expect(lastToast()).toMatchObject({ title: '1 of 2 Syncs Failed', description: 'North: It does not answer.' }),
  );
});

test.each([
  [['busy', 'busy'], 'Already Syncing', 'North, Phone were being synced already. The cards show how far.'],
  [
    ['busy', 'done'],
    'Sync Goes On',
    '1 configuration, 3 new sales. North was being synced already. The cards show how far.',
  ],
  [
    ['going-on', 'stopped'],
    'Sync Goes On',
    'North has much to tell. Phone was stopped by somebody after 3 new sales. The cards show how far.',
  ],
  [
    ['done', 'stopped'],
    'Sync Stopped',
    '1 configuration, 3 new sales. Phone was stopped by somebody after 3 new sales. The cards show how far.',
  ],
  [
    ['stopped', 'stopped'],
    'Sync Stopped',
    'North, Phone were stopped by somebody after 6 new sales. The cards show how far.',
  ],
  [['done', 'done'], 'Full Sync Complete', '2 configurations, 6 new sales'],
])('Sync All of %j is no failure', async (states, title, description) => {
  const one = { synced: 1, booked: 3, held: 0, finished: true, heard: null, system: 'nayax', error: null };
  const names = ['North', 'Phone'];
  open(({ path }) =>
    path === '/api/nayax-moma/sync-all'
      ? states.map((state, n) => ({ ...one, configId: n, name: names[n], state }))
      : undefined,
  );
  await user.click(await screen.findByRole('button', { name: 'Sync All' }));
  await vi.waitFor(() => expect(lastToast()).toMatchObject({ title, description }));
  expect(lastToast()?.variant).toBeUndefined();
});

test('Sync All tells one that was stopped before it brought anything as stopped, without a number', async () => {
  const one = { synced: 1, booked: 0, held: 0, finished: true, system: 'nayax', configId: 1, error: null };
  open(({ path }) => (path === '/api/nayax-moma/sync-all' ? [{ ...one, name: 'North', state: 'stopped' }] : undefined));
  await user.click(await screen.findByRole('button', { name: 'Sync All' }));
  const description = 'North was stopped by somebody. The cards show how far.';
  await vi.waitFor(() => expect(lastToast()).toMatchObject({ title: 'Sync Stopped', description }));
});

test('an operator without a configuration sees how to begin, and Sync All has nothing to do', async () => {
  open(({ path }) => (path.endsWith('/configs') ? [] : undefined));
  expect(await screen.findByText('No configurations found')).toBeTruthy();
  expect((screen.getByRole('button', { name: 'Sync All' }) as HTMLButtonElement).disabled).toBe(true);
  const [add] = screen.getAllByRole('button', { name: 'Add Configuration' });
  if (add) await user.click(add);
  expect(await screen.findByRole('dialog', { name: 'Add Nayax Core Configuration' })).toBeTruthy();
});

test.each([
  [true, 'Lobby is read in a minute'],
  [false, 'Lobby can be synced now'],
])('a new configuration whose timetable is %s says when it is read', async (syncEnabled, description) => {
  open(({ method }) => (method === 'POST' ? buildConfig({ name: 'Lobby', syncEnabled }) : undefined));
  await user.click(await screen.findByRole('button', { name: 'Add Configuration' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Nayax Core Configuration' }));
  await user.type(dialog.getByLabelText('Name'), 'Lobby');
  await user.type(dialog.getByLabelText('Merchant ID'), '2000');
  await user.type(dialog.getByLabelText('Hash code'), 'a long hash code');
  await user.click(dialog.getByRole('button', { name: 'Add Configuration' }));
  await vi.waitFor(() => expect(lastToast()).toMatchObject({ title: 'Nayax Core Configuration Created', description }));
});

test.each([
  [{ isActive: true, syncEnabled: true }, 'Syncs by itself'],
  [{ isActive: true, syncEnabled: false }, 'Only by button'],
  [{ isActive: false, syncEnabled: true }, 'Off'],
])('of a configuration with %j the timetable reads %s', async (fields, told) => {
  open(({ path }) => (path === '/api/nayax/configs' ? [{ ...nayax, ...fields }] : undefined));
  expect(within(await card('North')).getByText('Timetable').nextSibling?.textContent).toBe(told);
});

test.each([
  [{ when: 'at', at: '2026-01-05T16:05:00.000Z' }, formatDateTime('2026-01-05T16:05:00.000Z')],
  [{ when: 'now', at: null }, 'In a minute'],
  [{ when: 'put-right', at: null }, 'When this is put right'],
  [{ when: 'by-hand', at: null }, 'Only by hand'],
])('a card says when its connection is read next: %j', async (nextSync, told) => {
  open(({ path }) => (path === '/api/nayax/configs' ? [{ ...nayax, nextSync }] : undefined));
  expect(within(await card('North')).getByText('Next sync').nextSibling?.textContent).toBe(told);
});

test('the list that cannot be loaded says so and is asked for again', async () => {
  let fails = true;
  open(({ path }) => (path === '/api/nayax/configs' && fails ? refusal(500, 'It broke here.') : undefined));
  expect(await screen.findByText('It broke here.')).toBeTruthy();
  fails = false;
  await user.click(screen.getByRole('button', { name: /again/i }));
  expect(await card('North')).toBeTruthy();
});

test('an alert is closed by a person; who may only look sees that it is open', async () => {
  window.history.replaceState(null, '', '/nayax-moma?tab=moma&config=2&list=alerts');
  const { writes } = open(({ method }) =>
    method === 'POST' ? { id: 9, resolvedAt: '2026-01-05T11:00:00.000Z', resolvedBy: 'A' } : undefined,
  );
  await user.click(await screen.findByRole('button', { name: 'Close alert: Door open' }));
  await vi.waitFor(() => expect(lastToast()).toMatchObject({ title: 'Alert Closed' }));
  expect(writes().map(({ path }) => path)).toEqual(['/api/integrations/alerts/9/close']);
});

test('on a phone, where their columns have no room, machine and moment of a record stand below it', async () => {
  window.history.replaceState(null, '', '/nayax-moma?tab=moma&config=2&list=alerts');
  open();
  const cell = within((await screen.findByText('Door open')).closest('td') as HTMLElement);
  for (const line of ['Lobby', formatDateTime(alert.raisedAt), 'Door']) expect(cell.getByText(line)).toBeTruthy();
});

test('on a phone, where the date has no column, transactions are sorted by date all the same', async () => {
  window.history.replaceState(null, '', '/nayax-moma?config=1&list=transactions');
  const asked: (string | null)[] = [];
  open(({ path, query }) => {
    if (!path.endsWith('transactions')) return undefined;
    asked.push(query.get('sort'));
    return pageOf([transaction]);
  });
  const order = (await screen.findByRole('combobox', { name: 'Sort by' })) as HTMLSelectElement;
  expect([...order.options].map(({ text }) => text)).toEqual(['Date: oldest first', 'Date: newest first']);
  expect(order.value).toBe('-date');
  await user.selectOptions(order, 'Date: oldest first');
  await vi.waitFor(() => expect(asked).toEqual(['-date', 'date']));
});

test('a list is sorted by the column one presses; another list begins in its own order', async () => {
  window.history.replaceState(null, '', '/nayax-moma?config=1&list=transactions');
  const asked: string[] = [];
  open(({ path, query }) => {
    if (!/devices$|transactions$/.test(path)) return undefined;
    asked.push(`${path.split('/').at(-1)} ${query.get('sort')}`);
    return path.endsWith('transactions') ? pageOf([transaction]) : undefined;
  });
  await user.click(await screen.findByRole('button', { name: /^Date/ }));
  await expect.poll(() => asked).toEqual(['transactions -date', 'transactions date']);
  expect(new URLSearchParams(window.location.search).get('sort')).toBe('date');
  await user.click(screen.getByRole('button', { name: 'Devices' }));
  await expect.poll(() => asked.at(-1)).toBe('devices name');
  expect(window.location.search).not.toContain('sort');
});

test('a transaction names its way of paying as the payment reports do', async () => {
  window.history.replaceState(null, '', '/nayax-moma?config=1&list=transactions');
  open(({ path }) => (path === '/api/nayax/transactions' ? pageOf([transaction]) : undefined));
  expect((await screen.findAllByText('Credit card, Visa •••• 5002')).length).toBeGreaterThan(0);
});

test('another configuration is not searched for what was looked for in the one before', async () => {
  window.history.replaceState(null, '', '/nayax-moma?config=1&q=gum');
  open(({ path }) => (path === '/api/nayax/configs' ? [nayax, { ...nayax, id: 3, name: 'South' }] : undefined));
  await user.click(within(await card('South')).getByRole('button', { name: 'Show records' }));
  expect(window.location.search).toBe('?config=3');
  window.history.replaceState(null, '', '/nayax-moma?config=1&q=gum');
  await user.click(screen.getByRole('tab', { name: /MoMa 2.0/ }));
  expect(window.location.search).toBe('?tab=moma');
});

test('whoever is led here to connect finds the form of the right system open', async () => {
  window.history.replaceState(null, '', '/nayax-moma?tab=moma&connect=1');
  open(({ path }) =>
    path === '/api/integrations/systems' ? [{ ...nayaxSystem, system: 'moma', label: 'MoMa 2.0' }] : undefined,
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Add MoMa 2.0 Configuration' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(window.location.search).toBe('?tab=moma');
});

test('a sync that its partner makes wait says until when', async () => {
  const waitsUntil = '2026-01-05T16:05:00.000Z';
  const run = { id: 4, status: 'running', resource: 'sales', records: 12, isStopping: false, waitsUntil };
  open(({ path }) => (path === '/api/nayax/configs' ? [{ ...nayax, run }] : undefined));
  const waits = `Nayax Core asked us to wait. It goes on at ${formatTime(waitsUntil)}.`;
  expect(await screen.findByText(waits)).toBeTruthy();
});

test.each([
  ['0.00', 0],
  ['1.50', 1],
])('of days that took %s there are %i charts of revenue', async (amount, charts) => {
  window.history.replaceState(null, '', '/nayax-moma?tab=analytics');
  const perDay = [{ day: '2026-01-05', transactions: 0, amount }];
  open(({ path }) => (path === '/api/nayax-moma/analytics' ? { ...analytics, perDay } : undefined));
  expect(await screen.findByText('System health')).toBeTruthy();
  expect(screen.queryAllByRole('heading', { name: 'Revenue by day' })).toHaveLength(charts);
});

test('what is shown stays where reading it again fails', async () => {
  window.history.replaceState(null, '', '/nayax-moma?tab=moma&config=2&list=alerts');
  let isDown = false;
  const { client } = open(() => (isDown ? refusal(500, 'Something broke.') : undefined));
  await screen.findByText('Door open');
  await card('Phone');
  await screen.findByText('$12.50');
  isDown = true;
  await client.invalidateQueries();
  await user.hover(screen.getByText('Door open'));
  for (const text of ['Door open', '$12.50']) expect(screen.getByText(text)).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a form whose fields did not load says so and tries again', async () => {
  let isDown = true;
  open(({ path }) => (isDown && path === '/api/integrations/systems' ? refusal(500, 'Something broke.') : undefined));
  await card('North');
  await user.click(screen.getByRole('button', { name: 'Add Configuration' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add Nayax Core Configuration' });
  expect(await within(dialog).findByText('The configuration did not load')).toBeTruthy();
  isDown = false;
  await user.click(within(dialog).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('textbox', { name: /Merchant ID/ })).toBeTruthy();
});

test('ways of paying have the names that they have on the payment reports', async () => {
  window.history.replaceState(null, '', '/nayax-moma?tab=analytics');
  const methods = [{ method: 'mobile', transactions: 1, amount: '1.50' }];
  open(({ path }) => (path === '/api/nayax-moma/analytics' ? { ...analytics, methods } : undefined));
  expect(await screen.findByText('Phone wallet')).toBeTruthy();
});
