// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { stopPhones } from './testing/field-phone.tsx';
import { lastToast, machine, market, quantityOf, startPhone, tap } from './testing/two-markets.tsx';

const user = userEvent.setup();
afterEach(stopPhones);

test('minus stops at zero, and a shelf has no upper limit', async () => {
  await startPhone(market);
  for (let i = 0; i < 4; i++) await tap('One less of Water');
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'One less of Water' })).toHaveProperty('disabled', true),
  );
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'One more of Water' })).toHaveProperty('disabled', false),
  );
  expect(await (await quantityOf('Water')).findByText('0')).toBeDefined();
});

test('a saved quantity stays what it was on its way from draft to saved', async () => {
  const phone = await startPhone(market);
  phone.goOffline();
  await tap('Scan Water: one more');
  const water = (await screen.findByRole('group', { name: 'Quantity of Water' })).closest('li');
  await waitFor(() => expect(water?.textContent).toContain('Draft'));
  const drawn = new Set<string>();
  const watch = new MutationObserver(() => drawn.add(water?.querySelector('fieldset')?.textContent ?? ''));
  watch.observe(document.body, { subtree: true, childList: true, characterData: true });
  await tap('Save Changes');
  await waitFor(() => expect(water?.textContent).toContain('Saved on this device'));
  await phone.offline.refresh();
  watch.disconnect();
  expect([...drawn]).toEqual(['5']);
});

test('plus stops at the capacity of the slot', async () => {
  await startPhone(machine);
  await tap(/^A1 Crisps/);
  await tap('One more of A1 Crisps');
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'One more of A1 Crisps' })).toHaveProperty('disabled', true),
  );
});

test('what the first change is saved by stands below the slot in hand before it: no button moves from under the thumb', async () => {
  await startPhone(machine);
  await tap(/^A1 Crisps/);
  const save = await screen.findByRole('button', { name: 'Save Changes' });
  expect(save).toHaveProperty('disabled', true);
  expect(screen.getByText('No changes yet')).toBeDefined();
  await tap('One less of A1 Crisps');
  expect(await screen.findByText('1 items to update')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Save Changes' })).toBe(save);
  await tap('Clear');
  expect(await screen.findByText('No changes yet')).toBeDefined();
});

test('full restock sets the capacity, empty slot sets zero', async () => {
  await startPhone(machine);
  await tap(/^A2 Nuts/);
  await tap('Full restock');
  expect(await screen.findByRole('button', { name: /^A2 Nuts, 10 of 10/ })).toBeDefined();
  await tap('Empty slot');
  expect(await screen.findByRole('button', { name: /^A2 Nuts, 0 of 10/ })).toBeDefined();
});

test('the same item changed twice counts once', async () => {
  await startPhone(market);
  await tap('One more of Water');
  await tap('Scan Water: one more');
  expect(await screen.findByText('1 items to update')).toBeDefined();
  expect(await (await quantityOf('Water')).findByText('6')).toBeDefined();
});

test('restock sets twice the minimum, with Quick Restock at least 50', async () => {
  await startPhone(market);
  await tap('Restock Water to 24');
  expect(await (await quantityOf('Water')).findByText('24')).toBeDefined();
  await tap('Quick Restock');
  await tap('Restock Water to 50');
  expect(await screen.findByRole('button', { name: 'Restock Juice to 60' })).toBeDefined();
  expect(await (await quantityOf('Water')).findByText('50')).toBeDefined();
});

test('clear restores the quantities shown before', async () => {
  await startPhone(market);
  await tap('One more of Water');
  await tap('Clear');
  await waitFor(() => expect(screen.queryByText(/items to update/)).toBeNull());
  expect(await (await quantityOf('Water')).findByText('4')).toBeDefined();
});

test('undo takes back the last change of an item only', async () => {
  await startPhone(market);
  await tap('Restock Water to 24');
  await tap('One less of Water');
  await tap('Undo the last change of Water');
  expect(await (await quantityOf('Water')).findByText('24')).toBeDefined();
  await tap('Undo the last change of Water');
  expect(await (await quantityOf('Water')).findByText('4')).toBeDefined();
});

test('a scanned product is restocked by whole cases, with the reason of the box', async () => {
  const phone = await startPhone(market);
  phone.goOffline();
  await tap('Enable Scan Mode');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Scan' })).toHaveProperty('disabled', true));
  await user.type(await screen.findByLabelText('Barcode'), ' 4006381333931 {Enter}');
  await waitFor(() => expect(lastToast()).toMatchObject({ title: 'Product Scanned' }));
  expect(lastToast()?.description).toContain('24');
  await tap('Save Changes');
  await waitFor(async () => expect(await phone.stockEntries()).toHaveLength(1));
  expect((await phone.stockEntries())[0]).toMatchObject({
    event: { kind: 'restock', quantity: 24, reason: 'barcode_restock' },
  });
});

test('an unknown barcode says so', async () => {
  await startPhone(market);
  await tap('Enable Scan Mode');
  await user.type(await screen.findByLabelText('Barcode'), '123{Enter}');
  await waitFor(() => expect(lastToast()?.title).toBe('Product Not Found'));
});
