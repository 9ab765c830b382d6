// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CantaloupeConfig, maxReportBytes } from '../../contract/cantaloupe.ts';
import { formatDateTime } from '../http/format.ts';
import { buildConfig, heldAnswer, nayaxSystem, refusal, show } from '../integrations/testing/office.tsx';
import { closeScreen, message, type Replies, type Sent, stubServer } from '../integrations/testing/replies.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { CantaloupeScreen } from './cantaloupe-screen.tsx';

const user = userEvent.setup();
const config = (id: number, fields: Partial<CantaloupeConfig> = {}): CantaloupeConfig => ({
  ...{ id, name: `Portal ${id}`, hasKey: true, hasSecret: true, environment: 'sandbox', webhookUrl: null },
  ...{
    apiEndpoint: null,
    timeZone: null,
    isActive: true,
    status: 'active',
    problem: null,
    waitsUntil: null,
    nextSync: { when: 'at', at: '2026-03-12T15:15:00.000Z' },
    webhookPath: '/api/webhooks/x',
  },
  ...{ lastSyncAt: null, version: 3, ...fields },
});
const stored = buildConfig({
  ...{ system: 'cantaloupe', name: 'Portal 1', settings: { environment: 'sandbox', timeZone: 'America/Chicago' } },
  secrets: { apiKey: { configured: true, ending: 'ey' }, apiSecret: { configured: true, ending: 'et' } },
});
const environment = nayaxSystem.fields.find(({ name }) => name === 'environment');
const fields = [
  { name: 'apiKey', label: 'Sign-in (API key)', kind: 'secret', required: 'Sign-in is required' },
  { name: 'apiSecret', label: 'Password (API secret)', kind: 'secret', required: 'Password is required' },
  environment,
  { name: 'webhookUrl', label: 'Webhook URL', kind: 'url', theyCall: true },
];
const system = { ...nayaxSystem, system: 'cantaloupe', label: 'Cantaloupe', fields };
const device = (deviceId: string) => ({
  ...{
    id: 1,
    configId: 1,
    deviceId,
    serialNumber: deviceId,
    model: 'G9',
    location: 'Lobby, Trenton',
    status: 'offline',
  },
  ...{ lastSeen: null, firmware: null, vendingMachineId: null, vendingMachineName: null },
});
const sale = (status: string) => ({
  ...{
    id: status.length,
    configId: 1,
    deviceId: 'VK1',
    vendingMachineId: null,
    transactionId: `T-${status}`,
    amount: '1.50',
  },
  ...{ currency: 'USD', paymentMethod: 'credit', cardType: 'Visa', lastFour: '4242', status, productName: 'Cola' },
  ...{ productCode: 'A1', quantity: 1, transactionDate: '2026-03-12T15:00:00.000Z', processedAt: null },
});
const page = (...rows: object[]) => ({ rows, total: rows.length, next: null, previous: null });
const figures = { devicesCount: 1, transactionsToday: 12, totalAmount: '34.50' };

let replies: Replies;
let sent: Sent[];
beforeEach(() => {
  replies = {
    'GET /api/cantaloupe/configs': [config(1), config(2, { isActive: false, problem: 'Enter the password again.' })],
    'GET /api/integrations/systems': [system],
    'GET /api/integrations/configs?system=cantaloupe': [stored],
    'GET /api/cantaloupe/status?configId=1': figures,
    'GET /api/cantaloupe/status?configId=2': { devicesCount: 0, transactionsToday: 0, totalAmount: '0.00' },
    'GET /api/cantaloupe/devices?configId=1': [device('VK-ONE')],
    'GET /api/cantaloupe/devices?configId=2': [],
    'GET /api/cantaloupe/transactions/page?configId=1': page(sale('completed'), sale('failed')),
    'GET /api/cantaloupe/transactions/page?configId=2': page(),
  };
  sent = stubServer(() => replies);
});
afterEach(closeScreen);

const tile = async (label: string) =>
  (await within(await screen.findByRole('region', { name: 'Figures' })).findByText(label)).parentElement?.textContent ??
  '';
const tab = (name: string) => screen.findByRole('tab', { name });

test('the figures and lists are those of the configuration that is chosen', async () => {
  show(<CantaloupeScreen />);
  expect(await tile('Configurations')).toContain('2');
  expect(await tile("Today's Transactions")).toContain('12');
  expect(await tile('Revenue Today')).toContain('$34.50');
  expect(await screen.findByText('VK-ONE')).toBeDefined();
  await user.click(await tab('Transactions'));
  expect((await screen.findByText('T-completed')).closest('tr')?.textContent).toMatch(/ColaA1.*Completed/);
  await user.click(screen.getByRole('button', { name: /Portal 2/ }));
  expect(await screen.findByText('No devices found.')).toBeDefined();
  await user.click(await tab('Transactions'));
  expect(await screen.findByText('No transactions found.')).toBeDefined();
  expect(screen.getByText('Enter the password again.')).toBeDefined();
});

test('a long name of a machine is cut inside its link: nothing of a third line shows in the room around it', async () => {
  const vendingMachineName = 'Orchard Square Family Health, emergency waiting room';
  replies['GET /api/cantaloupe/devices?configId=1'] = [{ ...device('VK1'), vendingMachineId: 7, vendingMachineName }];
  show(<CantaloupeScreen />);
  for (const link of await screen.findAllByRole('link', { name: vendingMachineName })) {
    expect(link.className).not.toContain('line-clamp');
    expect(within(link).getByText(vendingMachineName).className).toContain('line-clamp-2');
  }
});

test('without a configuration the list says what to do', async () => {
  replies['GET /api/cantaloupe/configs'] = [];
  replies['GET /api/cantaloupe/status'] = { devicesCount: 0, transactionsToday: 0, totalAmount: '0.00' };
  show(<CantaloupeScreen />);
  expect(await screen.findByText('No configurations found. Create one to get started.')).toBeDefined();
});

async function openForm(): Promise<HTMLElement> {
  show(<CantaloupeScreen />);
  const add = (await screen.findByRole('button', { name: 'Add Configuration' })) as HTMLButtonElement;
  await waitFor(() => expect(add.disabled).toBe(false));
  await user.click(add);
  return screen.findByRole('dialog');
}

test('a form without name, sign-in and password is not sent; a whole one is, with sandbox as the environment', async () => {
  const form = within(await openForm());
  await user.click(form.getByRole('button', { name: 'Create Configuration' }));
  for (const sentence of ['Name is required', 'Sign-in is required', 'Password is required'])
    expect(form.getByText(sentence)).toBeDefined();
  expect(sent.some(({ line }) => line.startsWith('POST'))).toBe(false);
  replies['POST /api/integrations/configs'] = { ...stored, id: 3 };
  await user.type(form.getByLabelText(/^Name/), 'East');
  await user.type(form.getByLabelText(/^Sign-in \(API key\)/), 'ops');
  await user.type(form.getByLabelText(/^Password \(API secret\)/), 'secret');
  expect((form.getByLabelText(/^Password \(API secret\)/) as HTMLInputElement).type).toBe('password');
  await user.click(form.getByRole('button', { name: 'Create Configuration' }));
  await expect.poll(message).toContain('Configuration Created');
  const post = sent.find(({ line }) => line === 'POST /api/integrations/configs');
  const settings = { apiKey: 'ops', apiSecret: 'secret', environment: 'sandbox' };
  expect(post?.body).toMatchObject({ system: 'cantaloupe', name: 'East', settings });
});

test('in a demo one press fills in what the stand-in accepts', async () => {
  const credentials = { cantaloupe: { apiKey: 'demo', apiSecret: 'demo-secret', environment: 'sandbox' } };
  replies['GET /api/demo/sandbox'] = { url: 'http://127.0.0.1:1', credentials };
  const form = within(await openForm());
  await user.click(await form.findByRole('button', { name: 'Fill in what it accepts' }));
  const value = (label: RegExp) => (form.getByLabelText(label) as HTMLInputElement).value;
  expect([value(/^Name/), value(/^Sign-in/), value(/^Password/)]).toEqual([
    'Cantaloupe sandbox',
    'demo',
    'demo-secret',
  ]);
});

test('a refused creation says so and keeps what was typed', async () => {
  replies['POST /api/integrations/configs'] = refusal(400, 'Another configuration has this sign-in.');
  const form = within(await openForm());
  for (const label of [/^Name/, /^Sign-in/, /^Password/]) await user.type(form.getByLabelText(label), 'x');
  await user.click(form.getByRole('button', { name: 'Create Configuration' }));
  await expect.poll(message).toBe('Error: Failed to create configuration. Please try again.');
  expect(form.getByRole('alert').textContent).toBe('Another configuration has this sign-in.');
  expect((form.getByLabelText(/^Name/) as HTMLInputElement).value).toBe('x');
});

test('what is set of a configuration is said and never shown, and stays where nothing else is typed', async () => {
  replies['PUT /api/integrations/configs/1'] = { ...stored, name: 'Portal A' };
  show(<CantaloupeScreen />);
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const form = within(await screen.findByRole('dialog', { name: 'Edit Configuration' }));
  const secret = form.getByLabelText(/^Password/) as HTMLInputElement;
  expect([secret.value, secret.placeholder]).toEqual(['', 'Set, ends in et']);
  await user.clear(form.getByLabelText(/^Name/));
  await user.type(form.getByLabelText(/^Name/), 'Portal A');
  await user.click(form.getByRole('button', { name: 'Save' }));
  await expect.poll(message).toContain('Configuration Saved');
  const put = sent.find(({ line }) => line.startsWith('PUT'))?.body as { name: string; settings: object };
  expect(put).toMatchObject({ name: 'Portal A', version: 3 });
  expect(Object.keys(put.settings)).not.toContain('apiSecret');
});

test('a change whose form was closed before it was saved leads nobody back from another configuration', async () => {
  const held = heldAnswer();
  replies['PUT /api/integrations/configs/1'] = () => held.answer;
  show(<CantaloupeScreen />);
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const form = within(await screen.findByRole('dialog', { name: 'Edit Configuration' }));
  await user.type(form.getByLabelText(/^Name/), ' A');
  await user.click(form.getByRole('button', { name: 'Save' }));
  await user.click(form.getByRole('button', { name: 'Close' }));
  await user.click(screen.getByRole('button', { name: /Portal 2/ }));
  held.give(Response.json(stored));
  await expect.poll(message).toContain('Configuration Saved');
  expect(window.location.search).toContain('config=2');
});

test('syncing tells how many, and a failure what happened', async () => {
  replies['POST /api/cantaloupe/sync/1/devices'] = { synced: 16, added: 2, message: null };
  replies['POST /api/cantaloupe/sync/1/transactions'] = refusal(502, 'Cantaloupe refused sign-in and password.');
  show(<CantaloupeScreen />);
  await user.click(await tab('Sync'));
  await user.click(await screen.findByRole('button', { name: 'Sync Devices' }));
  await expect.poll(message).toBe('Devices Synced: Successfully synced 16 devices.');
  await user.click(await screen.findByRole('button', { name: 'Sync Transactions' }));
  await expect.poll(message).toBe('Sync Failed: Cantaloupe refused sign-in and password.');
});

test('what there is to know of a sync stands beneath how many it brought', async () => {
  const nothingCalled = 'Cantaloupe publishes no address to read from.';
  replies['POST /api/cantaloupe/sync/1/devices'] = { synced: 0, added: 0, message: nothingCalled };
  replies['POST /api/cantaloupe/sync/1/transactions'] = { synced: 1200, added: 3, message: null };
  show(<CantaloupeScreen />);
  await user.click(await tab('Sync'));
  await user.click(await screen.findByRole('button', { name: 'Sync Devices' }));
  await expect.poll(message).toBe('Devices Synced: Successfully synced 0 devices.');
  expect(toastStore.get()[0]?.detail).toBe(nothingCalled);
  await user.click(screen.getByRole('button', { name: 'Sync Transactions' }));
  await expect.poll(message).toBe('Transactions Synced: Successfully synced 1,200 transactions.');
  expect(toastStore.get()[0]?.detail).toBeUndefined();
});

test('the sync tab says when it is read next', async () => {
  show(<CantaloupeScreen />);
  await user.click(await tab('Sync'));
  expect(await screen.findByText(`Next sync: ${formatDateTime('2026-03-12T15:15:00.000Z')}`)).toBeTruthy();
});

test('a list that does not load can be tried again', async () => {
  replies['GET /api/cantaloupe/configs'] = refusal(503, 'The database does not answer.');
  show(<CantaloupeScreen />);
  expect(await screen.findByText('The configurations did not load')).toBeDefined();
  replies['GET /api/cantaloupe/configs'] = [config(1)];
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('VK-ONE')).toBeDefined();
});

test('who may not write sees no way to add or change', async () => {
  show(<CantaloupeScreen />, 'field_worker');
  expect(await screen.findByText('VK-ONE')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Add Configuration' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
});

test('deleting asks first', async () => {
  show(<CantaloupeScreen />, 'admin');
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  expect(await screen.findByRole('dialog')).toBeDefined();
  expect(sent.some(({ line }) => line.startsWith('DELETE'))).toBe(false);
});

test('a deleted configuration leaves the address with what was open of it; another stays', async () => {
  window.history.replaceState(null, '', '/?config=2&tab=sync');
  replies['DELETE /api/integrations/configs/2'] = () => {
    replies['GET /api/cantaloupe/configs'] = [config(1)];
    return { id: 2 };
  };
  show(<CantaloupeScreen />, 'admin');
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await user.click(await screen.findByRole('button', { name: 'Delete Configuration' }));
  await expect.poll(message).toBe('Configuration Deleted: Its sales and devices stay.');
  await waitFor(() => expect(screen.queryByRole('button', { name: /Portal 2/ })).toBeNull());
  expect(window.location.search).toBe('');
});

test('a report that does not reach the server says what to do, and one that is too large is not sent', async () => {
  const answer = globalThis.fetch;
  let reports = 0;
  vi.stubGlobal('fetch', (url: string, asked?: RequestInit) => {
    if (!url.includes('/reports')) return answer(url, asked);
    reports += 1;
    return Promise.reject(new TypeError('Failed to fetch'));
  });
  show(<CantaloupeScreen />);
  await user.click(await tab('Sync'));
  const field = await screen.findByLabelText('Report file');
  fireEvent.change(field, { target: { files: [new File(['a'], 'sales.csv')] } });
  expect(await screen.findByText('The server cannot be reached. Check the connection and try again.')).toBeDefined();
  fireEvent.change(field, { target: { files: [new File([new Uint8Array(maxReportBytes + 1)], 'year.csv')] } });
  expect(await screen.findByText(/^year.csv is too large: at most 20 MB/)).toBeDefined();
  expect(reports).toBe(1);
});
