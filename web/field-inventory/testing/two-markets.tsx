// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  buildChanges,
  buildItem,
  buildMachine,
  buildMarket,
  buildProduct,
  buildSlot,
} from '../../offline/testing/sample-changes.ts';
import { toastStore } from '../../ui/toasts/toast.ts';
import { startPhone as startWith } from './field-phone.tsx';

const user = userEvent.setup();

export const changes = buildChanges({
  reset: true,
  markets: [buildMarket(), buildMarket({ id: 2, name: 'South Hall', address: '9 Far Road', routeDesignation: '202' })],
  machines: [buildMachine()],
  items: [
    buildItem(),
    buildItem({ id: 2, productName: 'Juice', productId: 3, minimumQuantity: 30, currentQuantity: 30 }),
  ],
  slots: [buildSlot(), buildSlot({ id: 2, slotNumber: 'A2', productName: 'Nuts', currentQuantity: 0 })],
  products: [buildProduct()],
});

export const startPhone = (search = '') => startWith(changes, search);

export const lastToast = () => toastStore.get().find((one) => one.open);
export const market = '?type=market&id=1';
export const machine = '?type=vending_machine&id=1';
export const tap = async (name: string | RegExp) => user.click(await screen.findByRole('button', { name }));
export const quantityOf = async (name: string) =>
  within(await screen.findByRole('group', { name: `Quantity of ${name}` }));
