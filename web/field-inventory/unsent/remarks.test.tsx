// @vitest-environment happy-dom
import '../../ui/testing.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { buildChanges, buildItem, buildMarket } from '../../offline/testing/sample-changes.ts';
import { toastStore } from '../../ui/toasts/toast.ts';
import { type Phone, startPhone, stopPhones } from '../testing/field-phone.tsx';

const user = userEvent.setup();
afterEach(stopPhones);

const remark =
  'The office has put Water into this slot since. Your number is kept; tell your route manager what is in it.';

/** As the phone keeps what the server took with a remark. */
async function takeWithRemark({ offline }: Phone): Promise<void> {
  await offline.store.write(['outbox'], async (tx) => {
    for (const entry of await tx.objectStore('outbox').getAll()) {
      const answeredAt = new Date(offline.environment.now()).toISOString();
      await tx.objectStore('outbox').put({ ...entry, status: 'saved', reason: remark, answeredAt });
    }
  });
}

const market = buildChanges({
  markets: [buildMarket({ id: 7 })],
  items: [buildItem({ id: 3, marketId: 7, productName: 'Water' })],
});

async function countOffline(): Promise<Phone> {
  const phone = await startPhone(market, '?type=market&id=7');
  phone.goOffline();
  await user.click(await screen.findByRole('button', { name: 'One more of Water' }));
  await user.click(await screen.findByRole('button', { name: 'Save Changes' }));
  await waitFor(async () => expect(await phone.stockEntries()).toHaveLength(1));
  return phone;
}

test('what the server remarked on a change made without a network waits for the driver, and goes when read', async () => {
  const phone = await countOffline();
  await takeWithRemark(phone);
  await phone.open();
  const list = await screen.findByRole('list', { name: 'Saved, with a remark' });
  expect(list.textContent).toContain(remark);
  await user.click(within(list).getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Saved, with a remark' })).toBeNull());
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('Change dismissed'));
  toastStore.get()[0]?.action?.run();
  expect((await screen.findByRole('list', { name: 'Saved, with a remark' })).textContent).toContain(remark);
});

test('at its place it stands with the number', async () => {
  const phone = await countOffline();
  await takeWithRemark(phone);
  await phone.open('?type=market&id=7');
  expect(await screen.findByText(remark)).toBeTruthy();
});

test('what the server says of a change stands beneath the set words, taken or refused', async () => {
  const phone = await startPhone(market, '?type=market&id=7');
  phone.server.remarks.set(3, 'A slot holds less.');
  await user.click(await screen.findByRole('button', { name: 'One more of Water' }));
  await user.click(await screen.findByRole('button', { name: 'Save Changes' }));
  await waitFor(() =>
    expect(toastStore.get().find((one) => one.open)).toMatchObject({
      title: 'Inventory Updated',
      description: 'All inventory changes have been saved successfully.',
      detail: 'A slot holds less.',
    }),
  );
  phone.server.refusedItems.add(3);
  await user.click(await screen.findByRole('button', { name: 'One more of Water' }));
  await user.click(await screen.findByRole('button', { name: 'Save Changes' }));
  await waitFor(() =>
    expect(toastStore.get().find((one) => one.open)).toMatchObject({
      title: 'Update Failed',
      description: 'Failed to update inventory. Changes saved locally.',
      detail: 'This item was removed.',
    }),
  );
});
