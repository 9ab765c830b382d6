// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { InventoryRow } from '../../../contract/inventory.ts';
import type { Role } from '../../../domain/permissions.ts';
import { type Answer, office, pageOf, show } from '../../integrations/testing/office.tsx';
import { closeScreen, message } from '../../integrations/testing/replies.ts';
import { toastStore } from '../../ui/toasts/toast.ts';
import { InventoryTab } from '../inventory-tab.tsx';

const user = userEvent.setup();

const rowOf = (id: number): InventoryRow => ({
  ...{ id, marketId: 7, marketName: 'North Hall', productId: id, productName: `Product ${id}`, version: 1 },
  ...{ currentQuantity: 9, minimumQuantity: 10, parQuantity: null, price: null, cost: null },
  ...{ lastRestocked: null, updatedAt: '2026-01-02T14:05:00.000Z' },
});
const [firstPage, secondPage] = [[1, 2, 3, 4].map(rowOf), [5, 6].map(rowOf)];

type Sent = { method: string; path: string; body: unknown };
let sent: Sent[];
let answer: Answer;
let total: number;

beforeEach(() => {
  window.history.replaceState(null, '', '/inventory');
  total = 6;
  answer = () => undefined;
});
afterEach(() => {
  closeScreen();
  vi.restoreAllMocks();
});

function open(role: Role = 'admin'): void {
  ({ sent } = office((call) => {
    const given = answer(call);
    if (given !== undefined) return given;
    if (call.path === '/api/inventory/page') {
      const all = [...firstPage, ...secondPage];
      if (call.query.get('limit') === '500') return { ...pageOf(all), total };
      if (call.query.get('page') === 'second') return { ...pageOf(secondPage), total, previous: 'first' };
      return { ...pageOf(firstPage), total, next: 'second' };
    }
    if (call.path === '/api/inventory/summary') return undefined;
    const { items, ids } = (call.body ?? {}) as { items?: { id: number; minimumQuantity: number }[]; ids?: number[] };
    if (items) return { items: items.map((item) => ({ ...item, before: 10 })) };
    return ids ? { ids } : undefined;
  }));
  show(<InventoryTab />, role);
}

const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });
const pick = async (id: number) => user.click(await box(`Select Product ${id} at North Hall`));
const bar = () => within(screen.getByRole('region', { name: 'Selected items' }));
const told = () => screen.getByRole('region', { name: 'Selected items' }).querySelector('p')?.textContent;
const isPicked = async (id: number) => (await box(`Select Product ${id} at North Hall`)).checked;
const writes = () =>
  sent.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => ({ method, path, body }));
const undo = () => toastStore.get()[0]?.action?.run();

test('picked items are counted over the table, and whoever hears the screen is told how many', async () => {
  open();
  expect(await isPicked(1)).toBe(false);
  expect(screen.queryByRole('region', { name: 'Selected items' })).toBeNull();
  await pick(1);
  await pick(3);
  expect(told()).toBe('2 selected of 6');
  expect(screen.getByText('2 items selected').getAttribute('role')).toBe('status');
  await user.click(bar().getByRole('button', { name: 'Clear the selection' }));
  expect(screen.queryByRole('region', { name: 'Selected items' })).toBeNull();
  expect(document.activeElement).toBe(await box('Select all on this page'));
});

test('with Shift every row from the one before is picked; a box in the head picks the page', async () => {
  open();
  await pick(2);
  await user.keyboard('{Shift>}');
  await pick(4);
  await user.keyboard('{/Shift}');
  expect(told()).toBe('3 selected of 6');
  expect(await isPicked(1)).toBe(false);
  const head = await box('Select all on this page');
  expect([head.checked, head.indeterminate]).toEqual([false, true]);
  await user.click(head);
  expect(told()).toBe('4 selected of 6');
  expect([head.checked, head.indeterminate]).toEqual([true, false]);
});

test('the keyboard picks with Space and gives up with Escape, but not from a field that is typed into', async () => {
  open();
  (await box('Select Product 1 at North Hall')).focus();
  await user.keyboard(' ');
  expect(told()).toBe('1 selected of 6');
  screen.getByRole('searchbox', { name: 'Search products or markets' }).focus();
  await user.keyboard('{Escape}');
  expect(told()).toBe('1 selected of 6');
  (await box('Select Product 1 at North Hall')).focus();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('region', { name: 'Selected items' })).toBeNull();
});

test('Escape gives up what is picked also from where a message left the focus behind', async () => {
  const left = document.body.appendChild(document.createElement('ol'));
  left.tabIndex = -1;
  open();
  await pick(1);
  left.focus();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('region', { name: 'Selected items' })).toBeNull();
  left.remove();
});

test('what is picked stays so on the next page, and is said to be on another', async () => {
  open();
  await pick(1);
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await pick(5);
  expect(told()).toBe('2 selected of 6, 1 not on this page');
});

test('everything that the filter finds is picked at once', async () => {
  open();
  await pick(1);
  await user.click(bar().getByRole('button', { name: 'Select all 6' }));
  await waitFor(() => expect(told()).toBe('6 selected of 6, 2 not on this page'));
  expect(bar().queryByRole('button', { name: /^Select/ })).toBeNull();
});

test('of more than may be changed at once the first are offered', async () => {
  total = 12_408;
  open();
  await pick(1);
  expect(bar().getByRole('button', { name: 'Select the first 500' })).toBeDefined();
});

test('one number is set for all of them in one call, and Undo gives each its own back', async () => {
  open();
  await pick(1);
  await pick(2);
  await user.click(bar().getByRole('button', { name: 'Set minimum' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Set the minimum of 2 items' }));
  await user.click(dialog.getByRole('button', { name: 'Set minimum' }));
  expect(await dialog.findByText('Minimum quantity must be a whole number')).toBeDefined();
  await user.type(dialog.getByLabelText('Minimum quantity'), '12');
  await user.click(dialog.getByRole('button', { name: 'Set minimum' }));
  await expect.poll(message).toBe('Items Updated: 2 items: minimum 12');
  const set = [1, 2].map((id) => ({ id, minimumQuantity: 12 }));
  expect(writes()).toEqual([{ method: 'PUT', path: '/api/inventory/items', body: { items: set } }]);
  undo();
  const back = [1, 2].map((id) => ({ id, minimumQuantity: 10, from: 12 }));
  await waitFor(() => expect(writes().at(-1)?.body).toEqual({ items: back }));
  await expect.poll(message).toBe('Items Updated: 2 items: the minimum from before again');
});

test('an undo is of the items alone that were given another minimum', async () => {
  answer = ({ method }) => {
    if (method !== 'PUT') return undefined;
    return { items: [1, 2].map((id) => ({ id, minimumQuantity: 12, before: id === 1 ? 10 : 12 })) };
  };
  open();
  await pick(1);
  await pick(2);
  await user.click(bar().getByRole('button', { name: 'Set minimum' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Set the minimum of 2 items' }));
  await user.type(dialog.getByLabelText('Minimum quantity'), '12');
  await user.click(dialog.getByRole('button', { name: 'Set minimum' }));
  await expect.poll(message).toBe('Items Updated: 2 items: minimum 12');
  undo();
  await waitFor(() => expect(writes().at(-1)?.body).toEqual({ items: [{ id: 1, minimumQuantity: 10, from: 12 }] }));
});

test('what is refused is named, and left out the rest can be changed', async () => {
  answer = ({ method, body }) => {
    const { items = [] } = (body ?? {}) as { items?: { id: number }[] };
    const n = items.findIndex(({ id }) => id === 2);
    if (method !== 'PUT' || n < 0) return undefined;
    const detail = '1 of 3 items are not there any more, or not on your route. Nothing was changed.';
    return Response.json(
      { status: 404, code: 'not-found', detail, fields: { [`items.${n}`]: 'Gone' } },
      { status: 404 },
    );
  };
  open();
  for (const id of [1, 2, 3]) await pick(id);
  await user.click(bar().getByRole('button', { name: 'Set minimum' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText('Minimum quantity'), '12{Enter}');
  const refusal = await dialog.findByRole('alert');
  expect(refusal.textContent).toContain('Nothing was changed.');
  expect(refusal.textContent).toContain('Product 2 at North Hall');
  await user.click(dialog.getByRole('button', { name: 'Leave it out' }));
  await user.click(dialog.getByRole('button', { name: 'Set minimum' }));
  await expect.poll(message).toBe('Items Updated: 2 items: minimum 12');
  expect(told()).toBe('2 selected of 6');
});

test('a deletion names how many and which, and is taken back as one', async () => {
  open();
  await pick(1);
  await pick(2);
  await user.click(bar().getByRole('button', { name: 'Delete 2 items' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete 2 items?' }));
  expect(dialog.getByText('Product 1 at North Hall, Product 2 at North Hall.')).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Delete 2 items' }));
  await expect.poll(message).toBe('Items Deleted: 2 items');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected items' })).toBeNull());
  expect(document.activeElement).toBe(await box('Select all on this page'));
  undo();
  await expect.poll(message).toBe('Items Restored: 2 items are back at their markets');
  expect(writes().map(({ path, body }) => [path, body])).toEqual([
    ['/api/inventory/items/remove', { ids: [1, 2] }],
    ['/api/inventory/items/restore', { ids: [1, 2] }],
  ]);
});

test('a deletion whose answer got lost is done when it is tried again, and is taken back as one', async () => {
  let tries = 0;
  answer = ({ path }) => {
    if (path !== '/api/inventory/items/remove') return undefined;
    tries += 1;
    if (tries === 1) throw new TypeError('Failed to fetch');
    const fields = { 'ids.0': 'Gone', 'ids.1': 'Gone' };
    return Response.json({ status: 404, code: 'not-found', detail: '2 of 2.', fields }, { status: 404 });
  };
  open();
  await pick(1);
  await pick(2);
  await user.click(bar().getByRole('button', { name: 'Delete 2 items' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete 2 items?' }));
  await user.click(dialog.getByRole('button', { name: 'Delete 2 items' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('try again');
  await user.click(dialog.getByRole('button', { name: 'Delete 2 items' }));
  await expect.poll(message).toBe('Items Deleted: 2 items');
  undo();
  await expect.poll(message).toBe('Items Restored: 2 items are back at their markets');
});

test('what somebody else deleted meanwhile is told as gone', async () => {
  answer = ({ path }) => {
    if (path !== '/api/inventory/items/remove') return undefined;
    const detail = '1 of 1 items are not there any more, or not on your route. Nothing was changed.';
    return Response.json({ status: 404, code: 'not-found', detail, fields: { 'ids.0': 'Gone' } }, { status: 404 });
  };
  open();
  await pick(1);
  await user.click(bar().getByRole('button', { name: 'Delete 1 item' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete 1 item?' }));
  await user.click(dialog.getByRole('button', { name: 'Delete 1 item' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('not there any more');
});

test('who may only read exports what is picked, and changes nothing', async () => {
  open('field_worker');
  await pick(1);
  expect(bar().queryByRole('button', { name: 'Set minimum' })).toBeNull();
  expect(bar().queryByRole('button', { name: /^Delete/ })).toBeNull();
  await user.click(bar().getByRole('button', { name: 'Export the selected items' }));
  const dialog = await screen.findByRole('dialog', { name: 'Export 1 item' });
  expect(dialog.textContent).toContain('The selected items, in the order of the table.');
});

test('a phone has no boxes: there one item is changed at a time', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(new EventTarget() as MediaQueryList, { media: query, matches: query.includes('max-width') }),
  );
  open();
  expect(await screen.findByText('Product 1')).toBeDefined();
  expect(screen.queryAllByRole('checkbox')).toEqual([]);
  cleanup();
});
