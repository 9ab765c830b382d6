// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import {
  buildChanges,
  buildMachine,
  buildMarket,
  buildProduct,
  buildSlot,
} from '../../offline/testing/sample-changes.ts';
import { toastStore } from '../../ui/toasts/toast.ts';
import { startPhone as startWith, stopPhones } from '../testing/field-phone.tsx';

const slotCount = 40;
const slots = Array.from({ length: slotCount }, (_, i) =>
  buildSlot({
    id: i + 1,
    slotNumber: `${'ABCDE'[Math.floor(i / 8)]}${(i % 8) + 1}`,
    productName: `Product ${i + 1}`,
    currentQuantity: 3,
    parQuantity: i === 0 ? 6 : null,
  }),
);
const changes = buildChanges({
  reset: true,
  markets: [buildMarket()],
  machines: [buildMachine(), buildMachine({ id: 2, machineId: 'VM-2', name: 'Drinks machine' })],
  slots,
  products: [buildProduct()],
});
const startPhone = (search = '') => startWith(changes, search);
const machine = '?type=vending_machine&id=1';

let taps = 0;
afterEach(() => {
  stopPhones();
  taps = 0;
});

/** By its own label or text: asking for roles among the buttons of 40 slots takes seconds. */
function buttonNamed(name: string | RegExp): HTMLButtonElement {
  const found = [...document.querySelectorAll('button')].find((one) => {
    const words = one.getAttribute('aria-label') ?? one.textContent ?? '';
    return typeof name === 'string' ? words === name : name.test(words);
  });
  if (!found) throw new Error(`No button ${name}`);
  return found;
}

async function tap(name: string | RegExp): Promise<void> {
  fireEvent.click(await waitFor(() => buttonNamed(name)));
  taps += 1;
}
const lastToast = () => toastStore.get().find((one) => one.open);
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

async function pad(name: string): Promise<void> {
  // As by keyboard: a click without a pointer opens the pad at once, where a finger rests half a second.
  fireEvent.click(await waitFor(() => buttonNamed(new RegExp(`^${name}: .*Hold to type`))), { detail: 0 });
}

test('a row of the list tells slot, product, stock of capacity and price', async () => {
  await startPhone();
  fireEvent.click(await screen.findByRole('tab', { name: 'Vending' }));
  await tap(/Snack machine/);
  fireEvent.click(await screen.findByText('List'));
  const name = `${slots[0]?.slotNumber} Product 1`;
  const row = (await screen.findByLabelText(`Open ${name}`)).textContent;
  expect(row).toBe(`${name}In stock3/10$2.00`);
});

test('a machine of 40 slots where 10 differ takes at most 14 taps', async () => {
  const phone = await startPhone();
  phone.goOffline();
  fireEvent.click(await screen.findByRole('tab', { name: 'Vending' }));
  await tap(/Snack machine/);
  await tap('Fill to par');
  for (let i = 2; i <= 11; i++) await tap(`One less of ${slots[i]?.slotNumber} Product ${i + 1}`);
  await tap('Finish visit');
  await waitFor(async () => expect((await phone.entries()).filter((one) => one.type === 'visit')).toHaveLength(2));
  expect(taps).toBeLessThanOrEqual(14);
  const events = (await phone.entries()).flatMap((one) => (one.type === 'stock-event' ? [one.event] : []));
  expect(events).toHaveLength(slotCount);
  expect(events.find((one) => one.itemId === 1)).toMatchObject({ kind: 'restock', quantity: 3, reason: 'fill' });
  expect(events.find((one) => one.itemId === 2)).toMatchObject({ kind: 'restock', quantity: 7, reason: 'fill' });
  expect(events.find((one) => one.itemId === 3)).toMatchObject({ kind: 'count', quantity: 9 });
  const visitIds = new Set(events.map((one) => one.visitId));
  expect([...visitIds]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});

test('a location is drawn out of sight while the finger rests on it, and its visit begins with the tap', async () => {
  const phone = await startPhone();
  fireEvent.click(await screen.findByRole('tab', { name: 'Vending' }));
  const card = await waitFor(() => buttonNamed(/Snack machine/));
  const front = () => screen.queryByLabelText('Machine front');
  const isShown = () => front()?.closest('[style*="visibility: hidden"]') === null;
  const visits = () => phone.offline.store.read(['visits'], (tx) => tx.objectStore('visits').getAll());
  // What the phone is still downloading may change the stock under the finger: then it is drawn at the tap.
  const rest = () =>
    vi.waitFor(
      () => {
        fireEvent.pointerDown(card);
        expect(front()).not.toBeNull();
      },
      { interval: 200, timeout: 10_000 },
    );
  await rest();
  expect(isShown()).toBe(false);
  expect(screen.queryByRole('region', { name: 'Machine front' })).toBeNull();
  fireEvent.pointerCancel(card);
  expect(isShown()).toBe(false);
  expect(await visits()).toEqual([]);
  await rest();
  fireEvent.click(card);
  expect(isShown()).toBe(true);
  await waitFor(async () => expect(await visits()).toHaveLength(1));
});

test('what is past its date is marked on the front, in the list and in the hand, until somebody has touched it', async () => {
  const past = slots.map((slot) => (slot.id === 2 ? { ...slot, expirationDate: '2026-03-01' } : slot));
  const today = slots[2] ? { ...slots[2], currentQuantity: 10, expirationDate: '2026-03-02' } : null;
  await startWith({ ...changes, slots: past.map((slot) => (slot.id === 3 && today ? today : slot)) }, machine);
  const slot = await waitFor(() => buttonNamed(/^A2 Product 2/));
  expect(slot.getAttribute('aria-label')).toMatch(/past its date/);
  // The last day itself is still good.
  expect(buttonNamed(/^A3 Product 3/).getAttribute('aria-label')).not.toMatch(/past/);
  fireEvent.click(slot);
  expect(await screen.findByText('Past its date, Mar 1, 2026')).toBeDefined();
  // What comes next is in reach: taking it out as expired.
  expect(await screen.findByRole('button', { name: /^One more of A2 Product 2, Spoiled: expired/ })).toBeDefined();
});

test('fill to par can be taken back in one tap, and keeps what was typed before it', async () => {
  await startPhone(machine);
  await tap(/^A2 Product 2/);
  await tap('One less of A2 Product 2');
  await tap('Fill to par');
  expect(await screen.findByText('40 items to update')).toBeDefined();
  lastToast()?.action?.run();
  expect(await screen.findByText('1 items to update')).toBeDefined();
});

test('found, added, removed and spoiled come out as five numbers and as events in that order', async () => {
  const phone = await startPhone(machine);
  phone.goOffline();
  await tap(/^A1 Product 1/);
  await tap('Found, removed and spoiled');
  await tap('One less of A1 Product 1, Found');
  await tap('One more of A1 Product 1, Spoiled: expired');
  await tap('One more of A1 Product 1, Added');
  await tap('One more of A1 Product 1, Added');
  const numbers = (await screen.findByLabelText('This visit in five numbers')).textContent;
  expect(numbers).toBe('2Found2Added0Removed1Spoiled3Left');
  await tap('Save Changes');
  await waitFor(async () => expect(await phone.entries()).toHaveLength(4));
  expect((await phone.entries()).flatMap((one) => (one.type === 'stock-event' ? [one.event] : []))).toMatchObject([
    { kind: 'count', quantity: 2 },
    { kind: 'spoilage', quantity: -1, reason: 'expired' },
    { kind: 'restock', quantity: 2, reason: 'fill' },
  ]);
});

test('bag, refunds and note are there after a restart and go out when the visit is finished', async () => {
  const phone = await startPhone(machine);
  phone.goOffline();
  await screen.findByLabelText('Visit');
  type('Cash bag number', 'B-117');
  type('Refunds paid, USD', '2.50');
  await waitFor(async () => {
    const kept = await phone.offline.store.read(['visits'], (tx) => tx.objectStore('visits').getAll());
    expect(kept[0]).toMatchObject({ bagNumber: 'B-117', refunds: '2.50' });
  });
  await phone.open(machine);
  expect(await screen.findByLabelText('Cash bag number')).toHaveProperty('value', 'B-117');
  await tap('Finish visit');
  await waitFor(async () => expect(await phone.entries()).toHaveLength(1));
  expect((await phone.entries())[0]).toMatchObject({
    event: { type: 'visit', bagNumber: 'B-117', refunds: '2.50', closedAtClient: expect.any(String) },
  });
});

test('refunds that are no amount are told so and stay in the box', async () => {
  await startPhone(machine);
  await screen.findByLabelText('Visit');
  type('Refunds paid, USD', 'two dollars');
  expect((await screen.findByText(/Enter the refunds as an amount/)).getAttribute('role')).toBe('alert');
  expect(screen.getByLabelText('Refunds paid, USD')).toHaveProperty('value', 'two dollars');
  expect(buttonNamed('Finish visit')).toHaveProperty('disabled', true);
});

test('what the pad cannot take is said, and neither it nor the quantity before is lost', async () => {
  await startPhone(machine);
  await tap(/^A1 Product 1/);
  await pad('A1 Product 1');
  type('Number of A1 Product 1', '1000000000');
  fireEvent.click(buttonNamed('Set'));
  expect(await screen.findByText('This slot holds at most 10.')).toBeDefined();
  expect(screen.getByLabelText('Number of A1 Product 1')).toHaveProperty('value', '1000000000');
  fireEvent.click(buttonNamed('Keep 3'));
  expect(await waitFor(() => buttonNamed(/^A1 Product 1: 3 of 10/))).toBeDefined();
});

test('the first key of the pad replaces the number, the next are written behind it', async () => {
  await startPhone(machine);
  await tap(/^A1 Product 1/);
  await pad('A1 Product 1');
  for (const key of ['1', '0']) fireEvent.click(buttonNamed(key));
  fireEvent.click(buttonNamed('Set'));
  expect(await waitFor(() => buttonNamed(/^A1 Product 1: 10 of 10/))).toBeDefined();
});

test('the slot in hand is put away by its close and by a mode, and the list shows the kind of place left', async () => {
  await startPhone(machine);
  await tap(/^A1 /);
  await tap(/^Close A1 /);
  expect(document.querySelector('[aria-label^="Close A1"]')).toBeNull();
  await tap(/^A1 /);
  await waitFor(() => buttonNamed(/^Close A1 /));
  await tap('Enable Scan Mode');
  expect(document.querySelector('[aria-label^="Close A1"]')).toBeNull();
  await tap('Back');
  const vending = await screen.findByRole('tab', { name: 'Vending' });
  expect(vending.getAttribute('aria-selected')).toBe('true');
});

test('a swipe to the left goes to the next slot', async () => {
  await startPhone(machine);
  await tap(/^A1 Product 1/);
  const editor = await screen.findByLabelText('A1 Product 1');
  fireEvent.pointerDown(editor, { clientX: 200, clientY: 10 });
  fireEvent.pointerUp(editor, { clientX: 80, clientY: 14 });
  expect(await screen.findByLabelText('A2 Product 2')).toBeDefined();
});

test('the progress counts the slots changed or opened, and search and filter narrow the list', async () => {
  await startPhone(machine);
  await tap(/^A1 Product 1/);
  expect(await screen.findByText('1 of 40 slots looked at')).toBeDefined();
  type('Search slots', 'B3');
  const listed = await screen.findByLabelText('Slots');
  expect(within(listed).getAllByRole('listitem')).toHaveLength(1);
  type('Search slots', '');
  await tap('Needs me');
  expect(await screen.findByText('Nothing here matches. Clear the search or the filter.')).toBeDefined();
});

test('the code on a machine opens it, from the list and from another machine', async () => {
  await startPhone(machine);
  await tap('Enable Scan Mode');
  type('Barcode', 'https://run.example/mobile-inventory?type=vending_machine&id=2');
  await tap('Scan');
  expect(await screen.findByRole('heading', { name: 'Drinks machine' })).toBeDefined();
  type('Barcode', 'vm-1');
  await tap('Scan');
  expect(await screen.findByRole('heading', { name: 'Snack machine' })).toBeDefined();
});

test('a wrong check digit is told besides; an unknown code is noted for the manager', async () => {
  const phone = await startPhone(machine);
  await tap('Enable Scan Mode');
  type('Barcode', '4006381333932');
  await tap('Scan');
  const told = /^Barcode not recognized\. Please enter manually\. .*last digit/;
  await waitFor(() => expect(lastToast()?.description).toMatch(told));
  type('Barcode', '5901234123457');
  await tap('Scan');
  await tap('Note it for the manager');
  await waitFor(async () => {
    const kept = await phone.offline.store.read(['visits'], (tx) => tx.objectStore('visits').getAll());
    expect(kept[0]?.note).toBe('Unknown barcode 5901234123457');
  });
});
