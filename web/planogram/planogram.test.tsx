// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '../../contract/auth.ts';
import type { MachinePlanogram, Slot } from '../../contract/machines.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { Planogram } from './planogram.tsx';

const user = userEvent.setup();

const buildSlot = (id: number, slotNumber: string, productName: string, fields: Partial<Slot> = {}): Slot => ({
  id,
  machineId: 4,
  productId: null,
  productName,
  productCode: null,
  slotNumber,
  currentQuantity: 6,
  maxQuantity: 10,
  capacity: 10,
  parQuantity: null,
  minimumQuantity: 0,
  price: '1.50',
  cost: null,
  category: null,
  brand: null,
  expirationDate: null,
  planned: null,
  lastRestocked: null,
  updatedAt: '2026-01-05T10:00:00.000Z',
  version: 3,
  ...fields,
});

type Body = { version?: number; slots?: { id?: number; slotNumber: string; planned?: unknown }[] };
let planogram: MachinePlanogram;
let sent: { method: string; url: string; body: Body }[];

beforeEach(() => {
  sent = [];
  planogram = {
    version: 5,
    model: 'Combo 34',
    slots: [buildSlot(1, 'A1', 'Chips'), buildSlot(2, 'A2', 'Cola', { currentQuantity: 0 })],
    template: null,
  };
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'GET')
      return url.endsWith('/planogram') ? Response.json(planogram) : new Response('', { status: 404 });
    const given: Body = body ? JSON.parse(String(body)) : {};
    sent.push({ method, url, body: given });
    planogram = { ...planogram, version: planogram.version + 1 };
    return Response.json(planogram);
  });
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

function open(role: Session['person']['role'] = 'route_manager') {
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
  const client = createQueryClient();
  render(
    <QueryClientProvider client={client}>
      <SessionContext value={session}>
        <Planogram machineId={4} />
      </SessionContext>
    </QueryClientProvider>,
  );
  return client;
}

const chips = () => screen.findByRole('button', { name: 'A1 $1.50 Chips 6/10' });
const cola = () => screen.findByRole('button', { name: 'A2 $1.50 Cola Empty 0/10' });
const numbersOf = (body: Body | undefined) => body?.slots?.map(({ id, slotNumber }) => `${id} ${slotNumber}`);

test('a slot dropped on another exchanges them, and the toast takes it back', async () => {
  open();
  const dataTransfer = { setData: () => undefined, effectAllowed: '' };
  fireEvent.dragStart(await chips(), { dataTransfer });
  // A browser lets go only where entering was answered.
  expect(fireEvent.dragEnter(await cola(), { dataTransfer })).toBe(false);
  fireEvent.drop(await cola(), { dataTransfer });
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body.version).toBe(5);
  expect(numbersOf(sent[0]?.body)).toEqual(['1 A2', '2 A1']);
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('A1 and A2 exchanged'));
  toastStore.get()[0]?.action?.run();
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.body.version).toBe(6);
  expect(numbersOf(sent[1]?.body)).toEqual(['1 A1', '2 A2']);
});

test('a move is taken back to what was there, although the lists were read again before its answer', async () => {
  const client = open();
  const before = planogram.slots;
  const answer = globalThis.fetch;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const reply = await answer(url, init);
    if (init.method === 'PUT') await held;
    return reply;
  });
  (await chips()).focus();
  await user.keyboard('{Alt>}{ArrowRight}{/Alt}');
  await waitFor(() => expect(sent).toHaveLength(1));
  planogram = { ...planogram, slots: before.map((slot) => ({ ...slot, slotNumber: slot.id === 1 ? 'A2' : 'A1' })) };
  await client.invalidateQueries();
  await screen.findByRole('button', { name: 'A2 $1.50 Chips 6/10' });
  release();
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('A1 and A2 exchanged'));
  toastStore.get()[0]?.action?.run();
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(numbersOf(sent[1]?.body)).toEqual(['1 A1', '2 A2']);
});

test('Alt and an arrow key moves a slot, an arrow key alone goes to the one beside it', async () => {
  open();
  (await chips()).focus();
  await user.keyboard('{ArrowRight}');
  expect(document.activeElement).toBe(await cola());
  expect(sent).toEqual([]);
  await user.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await waitFor(() => expect(numbersOf(sent[0]?.body)).toEqual(['1 A2', '2 A1']));
});

test('on hand, par and price are changed in the panel; an unchanged quantity is no count', async () => {
  open();
  await user.click(await chips());
  const form = within(await screen.findByRole('form', { name: 'Change A1' }));
  await user.type(form.getByLabelText('Par'), '9');
  await user.click(form.getByRole('button', { name: 'Save A1' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ method: 'PUT', url: '/api/vending-machine-inventory/1' });
  expect(sent[0]?.body).toEqual({ parQuantity: 9, price: '1.50' });
});

test('an emptied quantity is not a count of nothing', async () => {
  open();
  await user.click(await chips());
  const form = within(await screen.findByRole('form', { name: 'Change A1' }));
  await user.clear(form.getByLabelText('On hand'));
  await user.click(form.getByRole('button', { name: 'Save A1' }));
  expect(await form.findByText('Current quantity must be a whole number')).toBeTruthy();
  expect(sent).toEqual([]);
});

test('a sale in the chosen slot takes nothing of what is being typed; a price set by somebody else is told', async () => {
  const client = open();
  await user.click(await chips());
  const form = within(await screen.findByRole('form', { name: 'Change A1' }));
  const price = form.getByLabelText('Price');
  await user.clear(price);
  await user.type(price, '1.75');
  const [a1, ...others] = planogram.slots;
  if (!a1) throw new Error('no slot');
  planogram = { ...planogram, slots: [{ ...a1, currentQuantity: 5, price: '1.60', version: 4 }, ...others] };
  await client.invalidateQueries();
  await waitFor(() => expect(form.getByLabelText('On hand')).toHaveProperty('value', '5'));
  expect(price).toHaveProperty('value', '1.75');
  expect(document.activeElement).toBe(price);
  expect(form.getByText('Set to 1.60 meanwhile')).toBeTruthy();
});

test('another product is planned for the next service', async () => {
  open();
  await user.click(await chips());
  await user.click(screen.getByRole('button', { name: 'Plan another product' }));
  const form = within(screen.getByRole('form', { name: 'Plan another product' }));
  await user.click(form.getByRole('button', { name: 'Plan' }));
  expect(await form.findByText('Product name is required')).toBeTruthy();
  await user.type(form.getByLabelText('Product at the next service'), 'Water');
  await user.click(form.getByRole('button', { name: 'Plan' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body.slots?.map((slot) => slot.planned)).toEqual([{ productName: 'Water', price: '1.50' }, null]);
});

test('a template is looked at before it is applied: slots added, removed and changed', async () => {
  const { id, machineId, planned, ...kept } = buildSlot(0, 'A1', 'Nuts');
  planogram.template = {
    model: 'Combo 34',
    savedBy: 'Mary Manager',
    savedAt: '2026-01-04T10:00:00.000Z',
    slots: [kept, { ...kept, slotNumber: 'B1', productName: 'Gum' }],
  };
  open();
  await user.click(await screen.findByRole('button', { name: 'Apply template' }));
  const changes = within(await screen.findByRole('list', { name: 'Changes' }));
  expect(changes.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    'A1ProductChips to Nuts at the next service, 6 units come out',
    'B1AddedGum',
    'A2RemovedCola',
  ]);
  expect(sent).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Apply Template' }));
  await waitFor(() => expect(numbersOf(sent[0]?.body)).toEqual(['1 A1', 'undefined B1']));
});

test('a field worker sees the front and changes nothing', async () => {
  open('field_worker');
  await user.click(await chips());
  expect(screen.getByText(/6 of 10 there/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^(Save|Add|Move|Plan|Apply)/ })).toBeNull();
  expect((await chips()).getAttribute('draggable')).toBe('false');
});
