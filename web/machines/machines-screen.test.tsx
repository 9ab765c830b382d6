// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Alert } from '../../contract/alerts.ts';
import type { Session } from '../../contract/auth.ts';
import type { Slot, VendingMachine } from '../../contract/machines.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { MachinesScreen } from './machines-screen.tsx';

const user = userEvent.setup();

const buildMachine = (fields: Partial<VendingMachine> = {}): VendingMachine => ({
  id: 4,
  name: 'Harbour Lobby',
  machineId: 'VM-2047',
  location: 'Lobby',
  address: '1 Main Street',
  city: null,
  state: null,
  latitude: '40.10000000',
  longitude: '-74.20000000',
  status: 'maintenance',
  routeDesignation: '11',
  capacity: 100,
  currentStock: 62,
  lowSlots: 3,
  emptySlots: 1,
  lastRestocked: '2026-01-04T10:00:00.000Z',
  lastMaintenance: null,
  installDate: null,
  model: null,
  serialNumber: null,
  vendorId: null,
  contactPhone: null,
  notes: null,
  accessHours: null,
  accessNotes: null,
  integrationId: null,
  integrationSource: null,
  lastSeen: null,
  createdAt: '2026-01-01T10:00:00.000Z',
  updatedAt: '2026-01-05T10:00:00.000Z',
  ...fields,
});

const buildAlert = (id: number, severity: Alert['severity']): Alert => ({
  id,
  machineId: 4,
  machineName: 'Harbour Lobby',
  routeDesignation: '11',
  alertType: 'jam',
  message: `Coil ${id} turns`,
  severity,
  acknowledged: false,
  acknowledgedBy: null,
  acknowledgedAt: null,
  resolvedAt: null,
  createdAt: '2026-01-05T10:00:00.000Z',
});

const buildSlot = (fields: Partial<Slot> = {}): Slot => ({
  id: 9,
  machineId: 4,
  productId: null,
  productName: 'Oat Bar',
  productCode: null,
  slotNumber: 'B2',
  currentQuantity: 3,
  maxQuantity: 12,
  capacity: 12,
  parQuantity: null,
  minimumQuantity: 0,
  price: '2.50',
  cost: null,
  category: null,
  brand: null,
  expirationDate: null,
  lastRestocked: null,
  updatedAt: '2026-01-05T10:00:00.000Z',
  version: 5,
  ...fields,
});

type Sent = { method: string; url: string; body: unknown; version: string | undefined };
const sent: Sent[] = [];
let machines: VendingMachine[];
let alerts: Alert[];
let slots: Slot[];
let refuse: (() => Response) | null;

function answer(url: string): unknown {
  const { pathname } = new URL(url, 'http://localhost');
  if (pathname === '/api/vending-machines/page') return { machines, total: machines.length, next: null };
  if (pathname === '/api/vending-machine-alerts/page')
    return { alerts: alerts.slice(0, 3), total: alerts.length, next: null };
  if (pathname === '/api/vending-machines/4/inventory') return slots;
  if (pathname === '/api/vending-machines/4') return machines[0];
  return [];
}

beforeEach(() => {
  sent.length = 0;
  machines = [buildMachine()];
  alerts = [];
  slots = [];
  refuse = null;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const { method = 'GET', body } = init;
    if (method === 'GET') return Response.json(answer(url));
    const version = new Headers(init.headers).get('if-match') ?? undefined;
    sent.push({ method, url, body: body ? JSON.parse(String(body)) : null, version });
    return refuse?.() ?? Response.json({ ...buildMachine(), ...buildSlot() });
  });
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
});

function open(role: Session['person']['role'] = 'admin'): void {
  const session: Session = {
    person: {
      id: 1,
      email: 'a@example.com',
      firstName: 'A',
      lastName: 'B',
      role,
      roleLabel: '',
      routeDesignation: null,
    },
    operator: { name: 'Op', timeZone: 'UTC', currency: 'USD', distanceUnit: 'mi', today: '2026-01-05', isDemo: false },
    map: { styleUrl: null },
    expiresAt: '2030-01-01T00:00:00.000Z',
  };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <MachinesScreen />
      </SessionContext>
    </QueryClientProvider>,
  );
}

const press = async (name: string | RegExp) => user.click(await screen.findByRole('button', { name }));

test('a card shows name, status, location, machine ID, stock over capacity and when it was restocked', async () => {
  open();
  const card = within((await screen.findByRole('link', { name: 'Harbour Lobby' })).closest('li') ?? document.body);
  for (const text of ['Maintenance', 'Lobby', /VM-2047/, '62/100', 'Jan 4, 2026', '1 empty', '2 low']) {
    expect(card.getByText(text)).toBeTruthy();
  }
});

test('a card has the address that a machine is driven to, and below it the place in the building', async () => {
  machines = [buildMachine({ city: 'Trenton', state: 'NJ' })];
  open();
  const [address, spot] = [await screen.findByText('1 Main Street, Trenton, NJ'), screen.getByText('Lobby')];
  expect(address.compareDocumentPosition(spot)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('the alerts and the machines are waited for with five rows each', () => {
  open();
  const waited = screen.getAllByRole('status', { name: 'Loading' }).map((rows) => rows.childElementCount);
  expect(waited).toEqual([5, 5]);
});

test('without machines the screen says so and offers the first', async () => {
  machines = [];
  open();
  expect(await screen.findByText('No Vending Machines')).toBeTruthy();
  expect(screen.getAllByRole('button', { name: 'Add Vending Machine' })).toHaveLength(2);
});

test('at most three active alerts are shown, the gravest first, and one is taken note of', async () => {
  alerts = [buildAlert(3, 'critical'), buildAlert(4, 'high'), buildAlert(2, 'medium'), buildAlert(1, 'low')];
  open();
  const list = await screen.findByRole('list', { name: 'Active alerts' });
  const shown = within(list).getAllByRole('listitem');
  expect(shown.map((row) => /Coil \d/.exec(row.textContent ?? '')?.[0])).toEqual(['Coil 3', 'Coil 4', 'Coil 2']);
  expect(within(list).getAllByText('Harbour Lobby')).toHaveLength(3);
  await press('Acknowledge Coil 3 turns');
  expect(sent).toMatchObject([{ method: 'POST', url: '/api/vending-machine-alerts/3/acknowledge' }]);
});

test('an empty form names every missing field and sends nothing', async () => {
  open();
  await press('Add Vending Machine');
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByLabelText<HTMLInputElement>('Capacity, units').value).toBe('100');
  expect(dialog.getByLabelText<HTMLSelectElement>('Status').value).toBe('active');
  await user.click(dialog.getByRole('button', { name: 'Add Vending Machine' }));
  for (const field of ['Name', 'Machine ID', 'Location', 'Address', 'Latitude', 'Longitude']) {
    expect(await dialog.findByText(`${field} is required`)).toBeTruthy();
  }
  expect(sent).toEqual([]);
  expect(document.activeElement).toBe(dialog.getByLabelText('Name'));
});

test('a refused field is said once, at the field, and typing goes on there', async () => {
  const sentence = 'Another machine has this Machine ID.';
  refuse = () => Response.json({ detail: sentence, fields: { machineId: sentence } }, { status: 409 });
  open();
  await press('Add Vending Machine');
  const dialog = within(await screen.findByRole('dialog'));
  const values = { Name: 'N', 'Machine ID': 'V', Location: 'L', Address: 'A', Latitude: '1', Longitude: '2' };
  for (const [label, text] of Object.entries(values)) await user.type(dialog.getByLabelText(label), text);
  await user.click(dialog.getByRole('button', { name: 'Add Vending Machine' }));
  expect(await dialog.findAllByText(sentence)).toHaveLength(1);
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Machine ID')));
});

test('who saves second is told what the first one changed, keeps the text and builds on their change', async () => {
  const sentence = 'This machine was changed by Ana Ruiz in the meantime. Look at what changed, then save again.';
  refuse = () => Response.json({ detail: sentence, fields: { version: sentence } }, { status: 409 });
  open();
  await press('Edit Harbour Lobby');
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  await user.clear(name);
  await user.type(name, 'Harbour Hall');
  machines = [buildMachine({ name: 'Theirs', model: 'Tall', updatedAt: '2026-01-06T10:00:00.000Z' })];
  await press('Save Vending Machine');
  const told = within(await screen.findByRole('alert'));
  expect(told.getByText(sentence)).toBeTruthy();
  expect(told.getByText(/Yours is kept: 'Harbour Hall'/)).toBeTruthy();
  expect(told.getByText(/is now 'Tall'. Taken over here/)).toBeTruthy();
  expect(name.value).toBe('Harbour Hall');
  refuse = null;
  await press('Save Vending Machine');
  await waitFor(() => expect(sent).toHaveLength(2));
  const versions = ['2026-01-05T10:00:00.000Z', '2026-01-06T10:00:00.000Z'].map((at) => `"${Date.parse(at)}"`);
  expect(sent.map(({ version }) => version)).toEqual(versions);
  expect(sent[1]?.body).toMatchObject({ name: 'Harbour Hall', model: 'Tall', capacity: 100 });
});

test('the days of installation and of the last maintenance are kept; an unchanged one keeps its hour', async () => {
  const lastMaintenance = '2026-02-02T03:30:00.000Z';
  machines = [buildMachine({ installDate: '2024-05-02', lastMaintenance })];
  open();
  await press('Edit Harbour Lobby');
  const day = await screen.findByLabelText<HTMLInputElement>('Last maintenance');
  expect(day.value).toBe('2026-02-02');
  await user.type(screen.getByLabelText('Model'), 'X1');
  await press('Save Vending Machine');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ installDate: '2024-05-02', lastMaintenance, model: 'X1' });
  await press('Edit Harbour Lobby');
  fireEvent.change(await screen.findByLabelText('Last maintenance'), { target: { value: '' } });
  fireEvent.change(screen.getByLabelText('Installed'), { target: { value: '2025-06-03' } });
  await press('Save Vending Machine');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.body).toMatchObject({ installDate: '2025-06-03', lastMaintenance: null });
});

test('the city and the state of a machine stand in the form and are sent', async () => {
  machines = [buildMachine({ city: 'Trenton', state: 'NJ' })];
  open();
  await press('Edit Harbour Lobby');
  const city = await screen.findByLabelText<HTMLInputElement>('City');
  expect([city.value, screen.getByLabelText<HTMLInputElement>('State').value]).toEqual(['Trenton', 'NJ']);
  await user.clear(city);
  await user.type(city, 'Camden');
  await press('Save Vending Machine');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ city: 'Camden', state: 'NJ' });
});

test('a failure to create says so in the words of the catalogue and keeps the dialog', async () => {
  refuse = () => Response.json({ detail: 'Another machine has this Machine ID.' }, { status: 409 });
  open();
  await press('Add Vending Machine');
  const dialog = within(await screen.findByRole('dialog'));
  const values = { Name: 'N', 'Machine ID': 'V', Location: 'L', Address: 'A', Latitude: '1', Longitude: '2' };
  for (const [label, text] of Object.entries(values)) await user.type(dialog.getByLabelText(label), text);
  await user.click(dialog.getByRole('button', { name: 'Add Vending Machine' }));
  expect(await dialog.findByText('Another machine has this Machine ID.')).toBeTruthy();
  expect(toastStore.get()[0]).toMatchObject({ title: 'Error', description: 'Failed to create vending machine.' });
});

test('the inventory of a machine without products says so, and its form names what is missing', async () => {
  open();
  await press('Manage Inventory of Harbour Lobby');
  expect(await screen.findByText('No inventory items yet. Add some products above.')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Max quantity').value).toBe('10');
  expect(screen.getByLabelText<HTMLInputElement>('Current quantity').value).toBe('0');
  await press('Add Product');
  for (const field of ['Product name', 'Slot number', 'Price']) {
    expect(await screen.findByText(`${field} is required`)).toBeTruthy();
  }
  expect(sent).toEqual([]);
});

test('a product shows price, slot and quantity over max; an edit that leaves the quantity is no count', async () => {
  slots = [buildSlot()];
  open();
  await press('Manage Inventory of Harbour Lobby');
  const list = within(await screen.findByRole('list', { name: 'Current products' }));
  for (const text of ['B2', 'Oat Bar', '$2.50', '3/12']) expect(list.getByText(text)).toBeTruthy();
  await press('Edit B2 Oat Bar');
  const form = within(await screen.findByRole('form', { name: 'Edit B2' }));
  const price = form.getByLabelText('Price');
  await user.clear(price);
  await user.type(price, '2.75');
  await user.click(form.getByRole('button', { name: 'Save Product' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ method: 'PUT', url: '/api/vending-machine-inventory/9', version: '"5"' });
  expect(sent[0]?.body).toMatchObject({ price: '2.75' });
  expect(sent[0]?.body).not.toHaveProperty('currentQuantity');
});

test.each([
  ['Current quantity', 'Current quantity must be a whole number'],
  ['Max quantity', 'Max quantity must be a whole number'],
  ['Minimum quantity', 'Minimum quantity must be a whole number'],
])('an emptied %s of a product that is there is not taken for a number', async (label, sentence) => {
  slots = [buildSlot()];
  open();
  await press('Manage Inventory of Harbour Lobby');
  await press('Edit B2 Oat Bar');
  const form = within(await screen.findByRole('form', { name: 'Edit B2' }));
  await user.clear(form.getByLabelText(label));
  await user.click(form.getByRole('button', { name: 'Save Product' }));
  expect(await form.findByText(sentence)).toBeTruthy();
  expect(sent).toEqual([]);
});

/** The form of a slot that holds 12, saved with another text in one field. */
async function saveSlot(slot: Slot, label: string, text: string) {
  slots = [slot];
  open();
  await press('Manage Inventory of Harbour Lobby');
  await press('Edit B2 Oat Bar');
  const form = within(await screen.findByRole('form', { name: 'Edit B2' }));
  await user.clear(form.getByLabelText(label));
  await user.type(form.getByLabelText(label), text);
  await user.click(form.getByRole('button', { name: 'Save Product' }));
  return form;
}

test('a minimum above what the slot holds is refused at its field; nothing is sent', async () => {
  const form = await saveSlot(buildSlot(), 'Minimum quantity', '13');
  const sentence = 'B2 holds at most 12, so its minimum cannot be 13. Choose a minimum up to 12.';
  expect(await form.findByText(sentence)).toBeTruthy();
  expect(sent).toEqual([]);
});

test('a slot from before whose minimum is above what it holds takes another price', async () => {
  await saveSlot(buildSlot({ minimumQuantity: 20 }), 'Price', '2.75');
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ price: '2.75', minimumQuantity: 20, maxQuantity: 12 }));
});

test('a failure to add a product says so in the words of the catalogue and keeps what was typed', async () => {
  const sentence = 'This machine already has a product in this slot. Choose another slot number.';
  refuse = () => Response.json({ detail: sentence }, { status: 409 });
  open();
  await press('Manage Inventory of Harbour Lobby');
  const name = await screen.findByLabelText<HTMLInputElement>('Product name');
  await user.type(name, 'Gum');
  await user.type(screen.getByLabelText('Slot number'), 'B2');
  await user.type(screen.getByLabelText('Price'), '1.00');
  await press('Add Product');
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(name.value).toBe('Gum');
  expect(toastStore.get()[0]).toMatchObject({ title: 'Error', description: 'Failed to add inventory item.' });
});

test('a field worker sees machines and their products and changes none', async () => {
  slots = [buildSlot()];
  open('field_worker');
  await press('Manage Inventory of Harbour Lobby');
  expect(await screen.findByText('Oat Bar')).toBeTruthy();
  for (const name of [/^Add/, /^Edit/, /^Delete/]) expect(screen.queryByRole('button', { name })).toBeNull();
});

test('search, status and route are kept in the address', async () => {
  open();
  await user.type(await screen.findByRole('searchbox', { name: 'Search machines' }), 'har');
  await user.selectOptions(screen.getByLabelText('Status'), 'maintenance');
  await user.selectOptions(screen.getByLabelText('Order'), 'stock');
  await waitFor(() => expect(window.location.search).toContain('q=har'));
  expect(window.location.search).toContain('status=maintenance');
  expect(window.location.search).toContain('sort=stock');
});
