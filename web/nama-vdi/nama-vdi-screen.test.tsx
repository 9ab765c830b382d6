// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { IntegrationSystemInfo } from '../../contract/integrations.ts';
import type { VdiConfig, VdiSyncJob } from '../../contract/nama-vdi.ts';
import { formatDateTime } from '../http/format.ts';
import { buildConfig, refusal, show } from '../integrations/testing/office.tsx';
import { closeScreen, message, type Replies, type Sent, stubServer } from '../integrations/testing/replies.ts';
import { NamaVdiScreen } from './nama-vdi-screen.tsx';

const user = userEvent.setup();
const config = (id: number, fields: Partial<VdiConfig> = {}): VdiConfig => ({
  ...{ id, name: `Kiosks ${id}`, vmsSystemId: 'vms', mmsSystemId: null, apiEndpoint: 'https://mms.example/vdi' },
  ...{ apiKey: { configured: true, ending: 'ey' }, version: '2.0' as const, environment: 'production' as const },
  ...{ enableDexData: true, enableTransactionData: true, enableOperationalData: true, lastSync: null },
  ...{ status: 'active' as const, problem: null, waitsUntil: null, nextSync: { when: 'now', at: null }, ...fields },
});
const job: VdiSyncJob = {
  ...{ id: 1, configId: 1, jobType: 'mms-sales', status: 'failed', startedAt: null, completedAt: null },
  ...{ recordsProcessed: 3, errorCount: 1, errorDetails: ['A sale without SaleID'], lastSyncDate: null },
  ...{ nextSyncDate: null, cause: 'push', createdAt: '2026-03-12T15:00:00.000Z' },
};
const transaction = {
  ...{
    id: 1,
    configId: 1,
    deviceId: 'KIOSK-1',
    transactionId: 'S1#1',
    transactionType: 'account_deposit',
    quantity: 1,
  },
  ...{
    productCode: null,
    productName: null,
    unitPrice: '20',
    totalAmount: '20',
    currency: 'USD',
    paymentMethod: 'card',
  },
  ...{ paymentData: null, transactionDate: '2026-03-12T15:00:00.000Z', processedAt: null, status: 'completed' },
  ...{ errorMessage: null, dexData: null, metadata: null },
};

const toggle = (name: string) => ({ name, label: name, kind: 'switch' as const, initial: true });
const choice = (name: string, label: string, initial: string, other: string) => ({
  ...{ name, label, kind: 'choice' as const, initial },
  options: [initial, other].map((value) => ({ value, label: value })),
});
const system: IntegrationSystemInfo = {
  ...{ system: 'nama_vdi', label: 'NAMA VDI 2.0', basis: 'Our reading.', resources: [], backfills: false },
  ...{ hasWebhooks: true, joinsBySignIn: false },
  fields: [
    { name: 'vmsSystemId', label: 'VMS System ID', kind: 'text', required: 'VMS System ID is required' },
    { name: 'apiEndpoint', label: 'API Endpoint', kind: 'url', required: 'API Endpoint is required' },
    choice('version', 'Version', '2.0', '1.0'),
    choice('environment', 'Environment', 'production', 'sandbox'),
    ...['enableDexData', 'enableTransactionData', 'enableOperationalData'].map(toggle),
  ],
};

let replies: Replies;
let sent: Sent[];
beforeEach(() => {
  replies = {
    'GET /api/nama-vdi/configs': [config(1), config(2, { status: 'inactive' })],
    'GET /api/nama-vdi/devices?configId=1': [],
    'GET /api/nama-vdi/transactions?configId=1&limit=10': [transaction],
    'GET /api/nama-vdi/alerts?configId=1&limit=10': [],
    'GET /api/nama-vdi/sync-jobs?configId=1&limit=50': [job],
  };
  sent = stubServer(() => replies);
});
afterEach(closeScreen);

async function choose(name = /Kiosks 1/): Promise<void> {
  show(<NamaVdiScreen />);
  await user.click(await screen.findByRole('button', { name }));
}
const tab = async (name: string) => user.click(await screen.findByRole('tab', { name }));

test('a product is named to the end, with how many of it where the column for that has no room', async () => {
  const sold = { ...transaction, productName: 'Corn Tortilla Chips Lightly Salted', quantity: 3 };
  replies['GET /api/nama-vdi/transactions?configId=1&limit=10'] = [sold];
  await choose();
  await tab('Transactions');
  const name = await screen.findByText(/^Corn Tortilla Chips Lightly Salted/);
  expect(name.className).toContain('whitespace-normal');
  expect(name.textContent).toBe('Corn Tortilla Chips Lightly Salted × 3');
});

test('nothing is asked for before a configuration is chosen; its badge says what it is', async () => {
  show(<NamaVdiScreen />);
  expect((await screen.findByRole('button', { name: /Kiosks 1/ })).textContent).toContain('production');
  expect(screen.getByRole('button', { name: /Kiosks 2/ }).textContent).toContain('inactive');
  expect(screen.getByText('Select a configuration')).toBeDefined();
  expect(sent.map(({ line }) => line)).toEqual(['GET /api/nama-vdi/configs']);
});

test.each(['error', 'maintenance'] as const)(
  'one in %s is inactive, and says why and of which environment',
  async (status) => {
    replies['GET /api/nama-vdi/configs'] = [config(1, { status, problem: 'It does not answer.' })];
    show(<NamaVdiScreen />);
    const row = within(await screen.findByRole('button', { name: /Kiosks 1/ }));
    expect(['inactive', status, 'production'].filter((word) => row.queryByText(word) === null)).toEqual([]);
  },
);

test.each([
  [1, false],
  [10, true],
])('of %i transactions it is said that only the newest are listed: %s', async (count, isSaid) => {
  const listed = Array.from({ length: count }, (_, n) => ({ ...transaction, id: n + 1 }));
  replies['GET /api/nama-vdi/transactions?configId=1&limit=10'] = listed;
  await choose();
  await tab('Transactions');
  expect(await screen.findAllByText('Account deposit')).toHaveLength(count);
  expect(screen.queryByText('The newest 10. Payment Reports has them all.') !== null).toBe(isSaid);
});

test('the four tabs show what came by it, and say so where nothing did', async () => {
  await choose();
  expect(await screen.findByText('No devices found')).toBeDefined();
  await tab('Transactions');
  expect((await screen.findByText('Account deposit')).closest('tr')?.textContent).toContain('$20.00');
  await tab('Alerts');
  expect(await screen.findByText('No alerts found')).toBeDefined();
  await tab('Sync Jobs');
  const row = within((await screen.findByText('Pushed: mms-sales')).closest('tr') as HTMLElement);
  expect(row.getByText('Failed')).toBeDefined();
  // Beside the job where there is room, below it on a phone.
  expect(row.getAllByText('A sale without SaleID')).toHaveLength(2);
});

test('the connection test tells a reachable end, a dead one, and a refusal', async () => {
  const test = 'POST /api/nama-vdi/configs/1/test-connection';
  replies[test] = { connected: true, error: null };
  await choose();
  const press = async () => user.click(await screen.findByRole('button', { name: 'Test Connection' }));
  await press();
  await expect.poll(message).toBe('Connection Successful: VDI system is reachable');
  replies[test] = { connected: false, error: null };
  await press();
  await expect.poll(message).toBe('Connection Failed: Connection test failed');
  replies[test] = refusal(502, 'The address refuses connections.');
  await press();
  await expect.poll(message).toBe('Connection Failed: The address refuses connections.');
});

test('a sync says how much it brought; a failed one leaves its job in the list', async () => {
  replies['POST /api/nama-vdi/configs/1/sync-devices'] = { recordsProcessed: 1, note: null };
  replies['POST /api/nama-vdi/configs/1/sync-transactions'] = refusal(502, 'The other side does not answer.');
  await choose();
  await user.click(await screen.findByRole('button', { name: 'Sync Devices' }));
  await expect.poll(message).toBe('Devices Synced: 1 record processed.');
  await user.click(await screen.findByRole('button', { name: 'Sync Transactions' }));
  await expect.poll(message).toBe('Sync Failed: The other side does not answer.');
  await tab('Sync Jobs');
  expect(await screen.findByText('Pushed: mms-sales')).toBeDefined();
});

test('the panel says when the other side is asked next', async () => {
  const nextSync = { when: 'at', at: '2026-03-12T15:15:00.000Z' } as const;
  replies['GET /api/nama-vdi/configs'] = [config(1, { nextSync })];
  await choose();
  expect(await screen.findByText(`Next sync: ${formatDateTime(nextSync.at)}`)).toBeTruthy();
});

test('an inactive one cannot sync, and is set to work again', async () => {
  replies['GET /api/nama-vdi/configs'] = [config(1, { status: 'inactive' })];
  replies['PUT /api/nama-vdi/configs/1/status'] = config(1);
  await choose();
  const sync = (await screen.findByRole('button', { name: 'Sync Devices' })) as HTMLButtonElement;
  expect(sync.disabled).toBe(true);
  await user.selectOptions(screen.getByLabelText('Status'), 'active');
  expect(sent.find(({ line }) => line.startsWith('PUT'))?.body).toEqual({ status: 'active' });
});

test.each([
  ['active', 'inactive', 'Configuration Inactive: Kiosks 1 is not synced any more'],
  ['active', 'maintenance', 'Configuration in Maintenance: Kiosks 1 is synced by button only'],
  ['inactive', 'active', 'Configuration Active: Kiosks 1 syncs again'],
] as const)('one that is %s and set to %s is told so', async (status, wanted, told) => {
  replies['GET /api/nama-vdi/configs'] = [config(1, { status })];
  replies['PUT /api/nama-vdi/configs/1/status'] = config(1, { status: wanted });
  await choose();
  await user.selectOptions(await screen.findByLabelText('Status'), wanted);
  await expect.poll(message).toBe(told);
});

test('a status that is not taken is told as an error', async () => {
  replies['PUT /api/nama-vdi/configs/1/status'] = refusal(409, 'Somebody deleted it.');
  await choose();
  await user.selectOptions(await screen.findByLabelText('Status'), 'maintenance');
  await expect.poll(message).toBe('Error: Somebody deleted it.');
});

test('the dialog opens with version 2.0, production and all data; required fields are named', async () => {
  replies['GET /api/integrations/systems'] = [system];
  show(<NamaVdiScreen />);
  await user.click(await screen.findByRole('button', { name: 'Add VDI Configuration' }));
  const form = within(await screen.findByRole('dialog'));
  const value = (label: string) => (form.getByLabelText(label) as HTMLInputElement).value;
  expect([value('Version'), value('Environment')]).toEqual(['2.0', 'production']);
  expect(form.getAllByRole('checkbox').every((one) => (one as HTMLInputElement).checked)).toBe(true);
  await user.click(form.getByRole('button', { name: 'Add Configuration' }));
  expect(await form.findByText('Name is required')).toBeDefined();
  expect(form.getByText('VMS System ID is required')).toBeDefined();
  expect(form.getByText('API Endpoint is required')).toBeDefined();
  expect(sent.some(({ line }) => line.startsWith('POST'))).toBe(false);
});

async function addKiosks() {
  replies['GET /api/integrations/systems'] = [system];
  show(<NamaVdiScreen />);
  await user.click(await screen.findByRole('button', { name: 'Add VDI Configuration' }));
  const form = within(await screen.findByRole('dialog'));
  await user.type(form.getByLabelText('Name'), 'Kiosks');
  await user.type(form.getByLabelText('VMS System ID'), 'vms');
  await user.type(form.getByLabelText('API Endpoint'), 'https://mms.example/vdi');
  await user.click(form.getByRole('button', { name: 'Add Configuration' }));
  return form;
}

test('a refused configuration is told as an error, and what was typed stays', async () => {
  replies['POST /api/integrations/configs'] = refusal(400, 'This address is taken.');
  const form = await addKiosks();
  await expect.poll(message).toBe('Error: This address is taken.');
  expect((form.getByLabelText('Name') as HTMLInputElement).value).toBe('Kiosks');
});

test('a new configuration is told, and chosen', async () => {
  replies['POST /api/integrations/configs'] = buildConfig({ id: 1, system: 'nama_vdi', name: 'Kiosks 1' });
  await addKiosks();
  await expect.poll(message).toBe('Configuration Created: Kiosks 1');
  expect((await screen.findByRole('button', { name: /Kiosks 1/ })).getAttribute('aria-pressed')).toBe('true');
});

test('a configuration that was renamed is told by its new name', async () => {
  const settings = { vmsSystemId: 'vms', apiEndpoint: 'https://mms.example/vdi', version: '2.0' };
  const stored = buildConfig({ id: 1, system: 'nama_vdi', name: 'Kiosks 1', settings });
  replies['GET /api/integrations/systems'] = [system];
  replies['GET /api/integrations/configs?system=nama_vdi'] = [stored];
  replies['PUT /api/integrations/configs/1'] = { ...stored, name: 'Lobby kiosks' };
  await choose();
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const form = within(await screen.findByRole('dialog'));
  await user.clear(form.getByLabelText('Name'));
  await user.type(form.getByLabelText('Name'), 'Lobby kiosks');
  await user.click(form.getByRole('button', { name: 'Save Configuration' }));
  await expect.poll(message).toBe('Configuration Saved: Lobby kiosks');
});

test('one that was deleted is told so', async () => {
  replies['DELETE /api/integrations/configs/1'] = () => {
    replies['GET /api/nama-vdi/configs'] = [config(2)];
    return { id: 1 };
  };
  show(<NamaVdiScreen />, 'admin');
  await user.click(await screen.findByRole('button', { name: /Kiosks 1/ }));
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await user.click(await screen.findByRole('button', { name: 'Delete Configuration' }));
  await expect.poll(message).toBe('Configuration Deleted: Kiosks 1 is disconnected; its devices and sales stay');
  expect(await screen.findByText('Select a configuration')).toBeDefined();
  expect(window.location.search).toBe('');
});

test('one that cannot be deleted is told as an error and stays chosen', async () => {
  replies['DELETE /api/integrations/configs/1'] = refusal(409, 'A sync of it is running.');
  show(<NamaVdiScreen />, 'admin');
  await user.click(await screen.findByRole('button', { name: /Kiosks 1/ }));
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await user.click(await screen.findByRole('button', { name: 'Delete Configuration' }));
  await expect.poll(message).toBe('Error: A sync of it is running.');
  expect(screen.getByRole('button', { name: /Kiosks 1/ }).getAttribute('aria-pressed')).toBe('true');
});

test('a list that does not load is said, and tried again', async () => {
  replies['GET /api/nama-vdi/configs'] = refusal(503, 'The database does not answer.');
  show(<NamaVdiScreen />);
  expect(await screen.findByText('Configurations did not load')).toBeDefined();
  replies['GET /api/nama-vdi/configs'] = [];
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No VDI configurations')).toBeDefined();
});
