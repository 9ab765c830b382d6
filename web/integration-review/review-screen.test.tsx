// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { buildConfig, nayaxSystem, pageOf, refusal } from '../integrations/testing/office.tsx';
import { toastStore } from '../ui/toasts/toast.ts';
import { at, device, held, open, toldOf } from './testing/review-office.tsx';

const user = userEvent.setup();

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a device says why it is not linked, and one click links it', async () => {
  const { writes } = open('devices', ({ method }) =>
    method === 'POST' ? { id: 5, type: 'vending_machine', locationId: 70, booked: 11, held: 1 } : undefined,
  );
  expect(await screen.findByText('Same name as Lobby machine')).toBeTruthy();
  expect(screen.getByText('12 sales wait for this link')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Link to Lobby machine' }));
  await vi.waitFor(() => expect(toldOf()).toMatchObject({ description: 'Lobby. 11 sales booked, 1 sale still held.' }));
  expect(writes()[0]).toMatchObject({
    path: '/api/integrations/review/devices/5/link',
    body: { type: 'vending_machine', id: 70 },
  });
});

test('a device without a position is not added before one is typed', async () => {
  const { writes } = open('devices', ({ method }) =>
    method === 'POST' ? { id: 5, type: 'vending_machine', locationId: 71, booked: 0, held: 0 } : undefined,
  );
  const add = await screen.findByRole('button', { name: 'Add as a new machine' });
  expect((add as HTMLButtonElement).disabled).toBe(true);
  await user.type(screen.getByLabelText('Latitude'), '40.7');
  await user.type(screen.getByLabelText('Longitude'), '-74.0');
  await user.click(add);
  await vi.waitFor(() => expect(writes()[0]?.body).toEqual({ latitude: '40.7', longitude: '-74.0' }));
});

test('a device on the equator says where it is, one at 0, 0 does not', async () => {
  const rows = [
    { ...device, latitude: '0', longitude: '34.75' },
    { ...device, id: 6, latitude: '0', longitude: '0.0' },
  ];
  open('devices', ({ method }) => (method === 'GET' ? { rows, next: null, total: 2 } : undefined));
  const add = await screen.findAllByRole('button', { name: 'Add as a new machine' });
  expect(add.map((button) => (button as HTMLButtonElement).disabled)).toEqual([false, true]);
  expect(screen.getAllByLabelText('Latitude')).toHaveLength(1);
});

test('a held record says why and what one click does; somebody who was faster is told of', async () => {
  const { writes } = open('held', ({ method }) =>
    method === 'POST' ? refusal(409, 'Somebody decided about this record in the meantime.') : undefined,
  );
  expect(await screen.findByText(/probably written in cents/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Book at $1.50 each' }));
  await vi.waitFor(() =>
    expect(toldOf()).toMatchObject({
      title: 'Not done',
      description: 'Somebody decided about this record in the meantime.',
    }),
  );
  expect(writes()[0]).toMatchObject({ path: '/api/integrations/held/8/repair', body: { how: 'repair' } });
});

// A comma that follows the link begins a line of its own where a long name wraps.
test('a held record and a stock difference name the slot in the same breath as the machine', async () => {
  const difference = {
    ...{ id: 3, place: held.place, slotNumber: 'B2', productName: 'Cola', system: 'moma', theirs: 14, ours: 13 },
    toldAt: at,
  };
  open('held');
  expect(await screen.findByRole('link', { name: 'Lobby machine, slot A1' })).toBeTruthy();
  cleanup();
  open('stock', ({ path }) => (path === '/api/integrations/stock-differences' ? pageOf([difference]) : undefined));
  expect(await screen.findByRole('link', { name: 'Lobby machine, slot B2' })).toBeTruthy();
});

test.each([
  ['90071992547409931.25', '1 × Cola, $90,071,992,547,409,931.25'],
  ['1e3', '1 × Cola, 1e3'],
  ['', '1 × Cola, no amount'],
])('the amount %j of a held record is shown to the last digit, or as it came', async (amount, title) => {
  const record = { ...held.record, amount };
  open('held', ({ path }) => (path === '/api/integrations/held' ? pageOf([{ ...held, record }]) : undefined));
  expect(await screen.findByText(title)).toBeTruthy();
});

test('what came of a decision is said although its row is gone by then', async () => {
  let answer = (_told: object): void => {};
  const { writes } = open('held', ({ method }) =>
    method === 'POST'
      ? new Promise((resolve) => {
          answer = resolve;
        })
      : undefined,
  );
  await user.click(await screen.findByRole('button', { name: 'Leave out' }));
  const dialog = await screen.findByRole('dialog', { name: 'Leave this record out?' });
  expect(dialog.textContent).toContain('1 × Cola, $150.00 stays out of the books for good.');
  expect(writes()).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Leave out' }));
  await user.click(screen.getByRole('tab', { name: /^Devices/, hidden: true }));
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Leave out' })).toBeNull());
  answer({ booked: 0, held: 0, dismissed: 1 });
  const told = { title: 'Left out', description: 'This record stays out of the books.' };
  await vi.waitFor(() => expect(toldOf()).toMatchObject(told));
});

test('an unknown slot is named once and what was held for it is replayed', async () => {
  const { writes } = open('held', ({ path, method }) => {
    if (method === 'POST') return { booked: 4, held: 0, dismissed: 0 };
    return path === '/api/integrations/held' ? pageOf([{ ...held, reason: 'slot', repair: null }]) : undefined;
  });
  await user.type(await screen.findByLabelText('It is our slot'), 'B2');
  await user.click(screen.getByRole('button', { name: 'Map and replay' }));
  await vi.waitFor(() => expect(toldOf()).toMatchObject({ title: 'Booked', description: '4 sales booked.' }));
  expect(writes()[0]?.body).toMatchObject({ how: 'map', slotNumber: 'B2' });
});

test('a planogram that differs is shown slot by slot; only what is missing is added, and only by a click', async () => {
  const { writes } = open('planograms', ({ method }) => (method === 'POST' ? { id: 70, added: 1 } : undefined));
  const row = (await screen.findByText('Slot A1:')).closest('li');
  expect(row?.textContent).toBe('Slot A1: Water here, Cola in MoMa 2.0. $1.00 here, $1.50 in MoMa 2.0.');
  expect(screen.getByText(/MoMa 2.0 has Cola, at \$1.50, room for 8/)).toBeTruthy();
  expect(writes()).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Add the missing slot' }));
  await vi.waitFor(() => expect(toldOf()).toMatchObject({ title: '1 slot added' }));
  expect(writes().map(({ path }) => path)).toEqual(['/api/integrations/planograms/70/adopt']);
});

test('a connection that needs a person says what is wrong; a test of it tells the answer', async () => {
  open('connections', ({ path, method }) =>
    method === 'POST' && path.endsWith('/test')
      ? { connected: false, detail: null, error: 'Lightspeed says the connection was revoked: reconnect.' }
      : undefined,
  );
  // A sentence of any length: it wraps on a phone.
  expect((await screen.findByText('It was revoked.')).closest('.whitespace-nowrap')).toBeNull();
  // This system remembers its latest sales only: there is nothing to read again.
  expect(screen.queryByRole('button', { name: 'Backfill' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Test connection' }));
  await vi.waitFor(() =>
    expect(toldOf()).toMatchObject({ title: 'Connection Failed', description: expect.stringContaining('reconnect') }),
  );
});

test('with nothing connected the next step is one click away', async () => {
  open('connections', ({ path }) => (path === '/api/integrations/configs' ? [] : undefined));
  const link = await screen.findByRole('link', { name: 'Connect a system' });
  expect(link.getAttribute('href')).toBe('/inventory?tab=integrations');
});

test('messages that were refused are told of with the reason and what to do', async () => {
  const lastRejectedReason = 'The signature does not fit the hash code.';
  open('connections', ({ path }) =>
    path === '/api/integrations/configs'
      ? [buildConfig({ rejectedDeliveries: 10, lastRejectedReason, lastRejectedAt: at })]
      : undefined,
  );
  expect(
    await screen.findByText(/^10 messages were refused, the last on Jan 5, 2026.*: The signature does not fit.*enter/),
  ).toBeTruthy();
});

test('a connection that is switched off cannot be synced, and says so', async () => {
  const { writes } = open('connections', ({ path }) => {
    if (path === '/api/integrations/systems') return [{ ...nayaxSystem, backfills: true }];
    return path === '/api/integrations/configs' ? [buildConfig({ isActive: false, status: 'inactive' })] : undefined;
  });
  await user.click(await screen.findByRole('button', { name: 'Sync now' }));
  expect(screen.getByText('Switched off: switch it on to sync.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Backfill' })).toBeNull();
  expect(writes()).toEqual([]);
});

test('a list that cannot be loaded says so; one with nothing in it says that all is well', async () => {
  open('held', ({ path }) => (path === '/api/integrations/held' ? refusal(500, 'It broke here.') : undefined));
  expect(await screen.findByText('It broke here.')).toBeTruthy();
  await user.click(within(screen.getByRole('tablist')).getByRole('tab', { name: /Stock Differences/ }));
  expect(await screen.findByText('The partner systems believe the same stock as the ledger.')).toBeTruthy();
});

test.each(['devices', 'held', 'messages', 'stock', 'planograms'])(
  'with nothing connected the view of %s claims no agreement',
  async (view) => {
    open(view, ({ path }) => (path === '/api/integrations/configs' ? [] : undefined));
    expect(await screen.findByText('No system is connected yet')).toBeTruthy();
    expect(screen.queryByText(/^(The partner systems|Every device|No message|No record)/)).toBeNull();
  },
);

const newSystem = { ...nayaxSystem, system: 'csv', label: 'CSV over HTTP', hasWebhooks: true };

test('a system without a screen of its own is connected here, with the form that its fields make', async () => {
  const { writes } = open('connections', ({ path, method, body }) => {
    if (path === '/api/integrations/systems') return [nayaxSystem, newSystem];
    return method === 'POST' ? buildConfig(body as object) : undefined;
  });
  expect(screen.queryByRole('button', { name: 'Connect Nayax Core' })).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Connect CSV over HTTP' }));
  const form = within(await screen.findByRole('dialog'));
  await user.type(form.getByLabelText(/^Name/), 'Files');
  await user.type(form.getByLabelText(/Merchant ID/), '7');
  await user.type(form.getByLabelText(/Hash code/), 'k');
  await user.click(form.getByRole('button', { name: 'Add Configuration' }));
  await vi.waitFor(() => expect(writes()[0]).toMatchObject({ path: '/api/integrations/configs' }));
  expect(writes()[0]?.body).toMatchObject({ system: 'csv', name: 'Files' });
});

test('a link to a system without a screen of its own opens its form', async () => {
  open('connections&system=csv&connect=1', ({ path }) =>
    path === '/api/integrations/systems' ? [nayaxSystem, newSystem] : undefined,
  );
  expect(await screen.findByRole('dialog', { name: 'Add CSV over HTTP Configuration' })).toBeTruthy();
});

test('its configuration is edited and ended here, and says where messages go', async () => {
  const files = buildConfig({ name: 'Files', webhookPath: '/api/webhooks/csv/abc' });
  const { writes } = open(
    'connections',
    ({ path, method }) => {
      if (path === '/api/integrations/configs') return [{ ...files, system: 'csv' }];
      if (path === '/api/integrations/systems') return [nayaxSystem, newSystem];
      return method === 'DELETE' ? { id: 1 } : undefined;
    },
    'admin',
  );
  expect(await screen.findByText(/\/api\/webhooks\/csv\/abc$/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Disconnect' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Disconnect' }));
  await vi.waitFor(() => expect(writes()).toMatchObject([{ method: 'DELETE', path: '/api/integrations/configs/1' }]));
  await vi.waitFor(() => expect(toastStore.get()[0]).toMatchObject({ title: 'Disconnected' }));
});

test('one is one: a run of one record with one sale says so', async () => {
  const counts = {
    processed: 1,
    devices: 0,
    added: 1,
    updated: 0,
    products: 0,
    stock: 0,
    sales: 1,
    booked: 1,
    alerts: 0,
  };
  const run = {
    ...{
      id: 4,
      configId: 1,
      system: 'nayax',
      configName: 'North',
      cause: 'manual',
      status: 'succeeded',
      isStopping: false,
    },
    ...{
      createdAt: at,
      startedAt: at,
      completedAt: at,
      durationMs: 400,
      errorCount: 0,
      errorDetails: [],
      message: null,
    },
    ...{ counts: { ...counts, held: 0, unchanged: 0 }, progress: null, recordsProcessed: 1 },
  };
  open('connections', ({ path }) => (path === '/api/integrations/runs' ? pageOf([run]) : undefined));
  expect(await screen.findByText('1 record in 400 ms, 1 sale booked, 1 place linked')).toBeTruthy();
});

test('runs that cannot be read are said to be so', async () => {
  open('connections', ({ path }) => (path === '/api/integrations/runs' ? refusal(500, 'It broke.') : undefined));
  expect(await screen.findByText('The latest runs did not load')).toBeTruthy();
});
