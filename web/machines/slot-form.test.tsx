// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '../../contract/auth.ts';
import type { Slot, VendingMachine } from '../../contract/machines.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { ManageInventory } from './manage-inventory.tsx';
import { SlotForm } from './slot-form.tsx';

const user = userEvent.setup();
const sentence = 'This was changed by someone else in the meantime. Look at what changed, then save again.';

const buildSlot = (fields: Partial<Slot> = {}): Slot => ({
  ...{ id: 9, machineId: 4, productId: null, productName: 'Oat Bar', productCode: null, slotNumber: 'B2' },
  ...{ currentQuantity: 3, maxQuantity: 12, capacity: 12, parQuantity: null, minimumQuantity: 0, price: '2.50' },
  ...{ cost: null, category: null, brand: null, expirationDate: null, lastRestocked: null },
  ...{ updatedAt: '2026-01-05T10:00:00.000Z', version: 5 },
  ...fields,
});

let held: Slot;
let isThere: boolean;
let sent: { version: string | null; body: Partial<Slot> }[];

/** The server: it refuses an edit of an older version. */
beforeEach(() => {
  held = buildSlot();
  isThere = true;
  sent = [];
  vi.stubGlobal('fetch', async (input: string, { method = 'GET', headers, body }: RequestInit = {}) => {
    const { pathname } = new URL(input, 'http://localhost');
    if (method === 'GET')
      return Response.json(pathname === '/api/vending-machines/4/inventory' && isThere ? [held] : []);
    if (method === 'DELETE') isThere = false;
    if (method === 'DELETE') return Response.json({ id: 9 });
    const version = new Headers(headers).get('if-match');
    const told = JSON.parse(String(body)) as Partial<Slot>;
    sent.push({ version, body: told });
    if (version !== `"${held.version}"`)
      return Response.json({ detail: sentence, fields: { version: sentence } }, { status: 409 });
    held = { ...held, ...told, version: held.version + 1 };
    return Response.json({ ...held, eventId: null });
  });
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const saved = vi.fn();

/** The form of the slot as it was, with another price typed. */
async function typePrice(price: string) {
  saved.mockClear();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SlotForm machineId={4} slot={buildSlot()} onSaved={saved} />
    </QueryClientProvider>,
  );
  const form = within(screen.getByRole('form', { name: 'Edit B2' }));
  const field = form.getByLabelText<HTMLInputElement>('Price');
  await user.clear(field);
  await user.type(field, price);
  return { form, save: () => user.click(form.getByRole('button', { name: 'Save Product' })) };
}

test('a price is saved over units sold meanwhile: they stay sold, and nobody is told to look', async () => {
  const { form, save } = await typePrice('2.75');
  held = buildSlot({ currentQuantity: 2, version: 6 });
  await save();
  await waitFor(() => expect(saved).toHaveBeenCalledOnce());
  expect(sent.map(({ version }) => version)).toEqual(['"5"', '"6"']);
  expect(sent[1]?.body).not.toHaveProperty('currentQuantity');
  expect(held).toMatchObject({ price: '2.75', currentQuantity: 2 });
  expect(form.queryByRole('alert')).toBeNull();
});

test('a quantity that was counted is saved over units sold meanwhile only after a look at both', async () => {
  const { form, save } = await typePrice('2.75');
  const quantity = form.getByLabelText<HTMLInputElement>('Current quantity');
  await user.clear(quantity);
  await user.type(quantity, '11');
  held = buildSlot({ currentQuantity: 2, version: 6 });
  await save();
  const told = within(await form.findByRole('alert'));
  expect(told.getByText(/'3' is now '2'\. Yours is kept: '11'/)).toBeTruthy();
  expect(saved).not.toHaveBeenCalled();
  await save();
  await waitFor(() => expect(held).toMatchObject({ price: '2.75', currentQuantity: 11 }));
});

test('who saves second takes over what the first one changed and is told of it', async () => {
  const { form, save } = await typePrice('2.75');
  held = buildSlot({ parQuantity: 8, price: '3.00', currentQuantity: 2, version: 7 });
  await save();
  const told = within(await form.findByRole('alert'));
  expect(told.getByText(sentence)).toBeTruthy();
  expect(told.getByText(/Yours is kept: '2.75'/)).toBeTruthy();
  expect(form.getByLabelText<HTMLInputElement>('Par').value).toBe('8');
  expect(form.getByLabelText<HTMLInputElement>('Current quantity').value).toBe('2');
  await save();
  await waitFor(() => expect(saved).toHaveBeenCalledOnce());
  expect(held).toMatchObject({ price: '2.75', parQuantity: 8, currentQuantity: 2 });
});

function manage(session: Session, machine: VendingMachine): void {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <ManageInventory machine={machine} onClose={() => undefined} />
      </SessionContext>
    </QueryClientProvider>,
  );
}

test('by keyboard a product is edited and taken out, and the focus stays in the list', async () => {
  const session = {
    person: { id: 1, role: 'admin' },
    operator: { timeZone: 'UTC', currency: 'USD' },
  } as unknown as Session;
  const machine = { id: 4, name: 'Lobby', machineId: 'VM-1', location: 'Hall' } as VendingMachine;
  manage(session, machine);
  const button = (name: string) => screen.findByRole('button', { name });
  const edit = 'Edit B2 Oat Bar';
  for (const leave of ['Cancel', 'Save Product']) {
    (await button(edit)).focus();
    await user.keyboard('{Enter}');
    (await button(leave)).focus();
    await user.keyboard('{Enter}');
    await waitFor(async () => expect(document.activeElement).toBe(await button(edit)));
  }
  (await button('Delete B2 Oat Bar')).focus();
  await user.keyboard('{Enter}');
  (await button('Delete Product')).focus();
  await user.keyboard('{Enter}');
  const heading = screen.getByRole('heading', { name: /Current products/ });
  await waitFor(() => expect(document.activeElement).toBe(heading));
});

test('whoever opens Manage Inventory types the product at once: its field has the focus, not Close', async () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
  // As the platform does: what lies in a closed dialog takes no focus, and opening it gives it to one of its elements.
  vi.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(function (this: HTMLElement) {
    this.setAttribute('open', '');
    const wanted = this.querySelector<HTMLElement>('[autofocus]') ?? this.querySelector('button');
    wanted?.focus();
  });
  const session = { person: { role: 'route_manager' }, operator: { currency: 'USD' } } as unknown as Session;
  const machine = { id: 4, machineId: 'VM-4', name: 'Lobby', location: 'Oak Street' } as VendingMachine;
  manage(session, machine);
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: /^Product/ }));
});
