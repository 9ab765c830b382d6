import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { toastStore } from '../ui/toasts/toast.ts';
import {
  asked,
  atInventoryDesk,
  buildRow,
  desk,
  onePage,
  open,
  problem,
  rowOf,
  writes,
} from './testing/inventory-desk.tsx';

const user = userEvent.setup();
atInventoryDesk();

test('a new item begins at 0 of 10, needs a market of the list, and says what is wrong with its numbers', async () => {
  open();
  await rowOf('Product 1');
  await user.click(screen.getByRole('button', { name: 'Add Item' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByLabelText('Current quantity')).toHaveProperty('value', '0');
  expect(dialog.getByLabelText('Minimum quantity')).toHaveProperty('value', '10');
  await user.clear(dialog.getByLabelText('Current quantity'));
  await user.type(dialog.getByLabelText('Current quantity'), '-1');
  await user.clear(dialog.getByLabelText('Minimum quantity'));
  await user.type(dialog.getByLabelText('Minimum quantity'), '0');
  await user.click(dialog.getByRole('button', { name: 'Add Item' }));
  for (const sentence of [
    'Choose a market',
    'Product name is required',
    'Current quantity must be 0 or greater',
    'Minimum quantity must be at least 1',
  ])
    expect(await dialog.findByText(sentence)).toBeTruthy();
  expect(writes()).toEqual([]);
});

test('a market and a product are chosen from what the server suggests, and the item is sent', async () => {
  open();
  await rowOf('Product 1');
  await user.click(screen.getByRole('button', { name: 'Add Item' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('combobox', { name: 'Market' }), 'north');
  await user.click(await dialog.findByRole('option', { name: /North Hall/ }));
  await user.type(dialog.getByRole('combobox', { name: 'Product' }), 'co');
  await user.click(await dialog.findByRole('option', { name: /Cola/ }));
  await user.click(dialog.getByRole('button', { name: 'Add Item' }));
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('Item Created'));
  expect(writes()).toMatchObject([
    { method: 'POST', body: { marketId: 7, productName: 'Cola', currentQuantity: 0, minimumQuantity: 10 } },
  ]);
});

test('a product that the market already has is said before a second row of it is made', async () => {
  open();
  await rowOf('Product 1');
  await user.click(screen.getByRole('button', { name: 'Add Item' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('combobox', { name: 'Product' }), 'product 1');
  expect(dialog.queryByText(/already has/)).toBeNull();
  await user.type(dialog.getByRole('combobox', { name: 'Market' }), 'north');
  await user.click(await dialog.findByRole('option', { name: /North Hall/ }));
  expect(await dialog.findByText(/North Hall already has Product 1, 9 in stock/)).toBeTruthy();
  expect(asked().at(-1)).toContain('market=7');
  const product = dialog.getByRole('combobox', { name: 'Product' });
  await user.type(product, '1');
  await waitFor(() => expect(dialog.queryByText(/already has/)).toBeNull());
});

test('an operator without a market is told to begin with one', async () => {
  desk.answer = ({ path }) => {
    if (path === '/api/markets/with-inventory/page') return Response.json(onePage([]));
    if (path === '/api/inventory/page') return Response.json(onePage([]));
    if (path !== '/api/inventory/summary') return undefined;
    const none = { totalItems: 0, lowStockItems: 0, itemsAtPrice: 0, itemsWithoutValue: 0 };
    return Response.json({ ...none, totalValue: '0.00', marketsCovered: 0, totalMarkets: 0 });
  };
  open();
  expect(await screen.findByText('No markets yet')).toBeTruthy();
  expect(await screen.findByText('Nothing in stock yet')).toBeTruthy();
  const [add] = await screen.findAllByRole('button', { name: 'Add Item' });
  if (add) await user.click(add);
  await user.click(within(await screen.findByRole('dialog')).getByRole('combobox', { name: 'Market' }));
  expect(await screen.findByText('There is no market yet. Add one on the Markets screen first.')).toBeTruthy();
});

test('a refused new item is told with the server’s sentence, and what was typed stays', async () => {
  desk.answer = ({ method }) => (method === 'POST' ? problem(409, 'This market was just deleted.') : undefined);
  open();
  await rowOf('Product 1');
  await user.click(screen.getByRole('button', { name: 'Add Item' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('combobox', { name: 'Market' }), 'north');
  await user.click(await dialog.findByRole('option', { name: /North Hall/ }));
  await user.type(dialog.getByRole('combobox', { name: 'Product' }), 'Own mix');
  await user.click(dialog.getByRole('button', { name: 'Add Item' }));
  await waitFor(() =>
    expect(toastStore.get()[0]).toMatchObject({
      title: 'Creation Failed',
      description: 'This market was just deleted.',
      variant: 'destructive',
    }),
  );
  expect(dialog.getByRole('combobox', { name: 'Product' })).toHaveProperty('value', 'Own mix');
});

/** The open form of an item after a changed minimum was sent. */
async function saveMinimumOfFour() {
  open();
  await rowOf('Product 1');
  await user.click(screen.getByRole('button', { name: 'Edit Product 1 at North Hall' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.clear(dialog.getByLabelText('Minimum quantity'));
  await user.type(dialog.getByLabelText('Minimum quantity'), '4');
  await user.click(dialog.getByRole('button', { name: 'Save Item' }));
  return dialog;
}

test('an edit sends what was changed, on the version that was read: an unchanged quantity is no count', async () => {
  await saveMinimumOfFour();
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('Item Updated'));
  expect(writes()).toMatchObject([
    { method: 'PUT', path: '/api/inventory/1', body: { minimumQuantity: 4 }, version: '"3"' },
  ]);
  expect(writes()[0]?.body).toEqual({ minimumQuantity: 4 });
});

test('an item saved as it was closes its form: nothing is sent, and nothing is said to be updated', async () => {
  const before = toastStore.get();
  open();
  await rowOf('Product 1');
  await user.click(screen.getByRole('button', { name: 'Edit Product 1 at North Hall' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Save Item' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(writes()).toEqual([]);
  expect(toastStore.get()).toBe(before);
});

test('the second of two people is told what the first changed, keeps the text and saves on top of it', async () => {
  const newest = buildRow({ productName: 'Product 1', minimumQuantity: 20, parQuantity: 30, version: 5 });
  desk.answer = ({ method, path, version }) => {
    if (path === '/api/inventory/items/1') return Response.json(newest);
    const sentence = 'This was changed by Mary Manager in the meantime.';
    return method === 'PUT' && version === '"3"' ? problem(409, sentence, { version: sentence }) : undefined;
  };
  const dialog = await saveMinimumOfFour();
  const told = (await dialog.findByText(/Mary Manager/)).closest('[role=alert]');
  expect(told?.textContent).toContain("Minimum quantity: '10' is now '20'. Yours is kept: '4'.");
  expect(told?.textContent).toContain("Fill up to: empty is now '30'. Taken over here.");
  expect(dialog.getByLabelText('Minimum quantity')).toHaveProperty('value', '4');
  expect(dialog.getByLabelText('Fill up to')).toHaveProperty('value', '30');
  await user.click(dialog.getByRole('button', { name: 'Save Item' }));
  await waitFor(() => expect(writes()).toHaveLength(2));
  expect(writes()[1]).toMatchObject({ body: { minimumQuantity: 4 }, version: '"5"' });
});

test('units sold while the form was open disturb nobody', async () => {
  desk.answer = ({ method, path, version }) => {
    if (path === '/api/inventory/items/1')
      return Response.json(buildRow({ productName: 'Product 1', currentQuantity: 7, version: 4 }));
    return method === 'PUT' && version === '"3"' ? problem(409, 'Changed.', { version: 'Changed.' }) : undefined;
  };
  await saveMinimumOfFour();
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('Item Updated'));
  expect(writes()[1]).toMatchObject({ version: '"4"' });
  expect(writes()[1]?.body).toEqual({ minimumQuantity: 4 });
});

test('where only units were sold, nobody is told to look at what changed, not even while it is saved again', async () => {
  desk.answer = ({ method, path, version }) => {
    if (path === '/api/inventory/items/1')
      return Response.json(buildRow({ productName: 'Product 1', currentQuantity: 7, version: 4 }));
    if (method !== 'PUT') return undefined;
    return version === '"3"' ? problem(409, 'Changed.', { version: 'Changed.' }) : problem(503, 'Away.', {});
  };
  const dialog = await saveMinimumOfFour();
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('Update Failed'));
  expect(writes().map(({ version }) => version)).toEqual(['"3"', '"4"']);
  expect(dialog.queryByText('Changed.')).toBeNull();
});
