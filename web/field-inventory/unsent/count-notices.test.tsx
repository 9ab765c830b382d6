// @vitest-environment happy-dom
import '../../ui/testing.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { CountNotice } from '../../../contract/stock-review.ts';
import { buildChanges, buildMachine, buildSlot } from '../../offline/testing/sample-changes.ts';
import { startPhone, stopPhones } from '../testing/field-phone.tsx';

const user = userEvent.setup();
afterEach(stopPhones);

const conflict: CountNotice = {
  id: 4,
  productName: 'Cola',
  slotNumber: 'A1',
  place: 'Lobby',
  location: { type: 'vending_machine', id: 1 },
  mine: { quantity: 12, at: '2026-03-02T04:40:00Z' },
  other: { quantity: 7, at: '2026-03-02T04:50:00Z', person: 'Ben Reed' },
  resolution: null,
  mineHolds: null,
};
const changes = () =>
  buildChanges({ machines: [buildMachine({ id: 1 })], slots: [buildSlot({ id: 5, machineId: 1 })] });

test('a count that a colleague made differently is told, kept without signal, and leads to the machine', async () => {
  const phone = await startPhone(changes());
  phone.server.notices = { conflicts: [conflict], decided: [] };
  await phone.offline.refresh();
  const list = await screen.findByRole('list', { name: 'Counts that differ' });
  expect(list.textContent).toMatch(/You counted 12 at .*, Ben Reed 7 at .*Count again if you are near/);
  phone.goOffline();
  await phone.open();
  await user.click(within(await screen.findByRole('list', { name: 'Counts that differ' })).getByRole('button'));
  await waitFor(() => expect(window.location.search).toBe('?type=vending_machine&id=1'));
});

test('how a difference ended is told to whose count holds and whose does not', async () => {
  const phone = await startPhone(changes());
  const ended = { ...conflict, resolution: 'first' as const };
  phone.server.notices = {
    conflicts: [
      { ...ended, mineHolds: true },
      { ...ended, id: 5, mineHolds: false },
      { ...conflict, id: 6, resolution: 'recounted' },
    ],
    decided: [],
  };
  await phone.offline.refresh();
  const list = within(await screen.findByRole('list', { name: 'Counts that differ' }));
  await user.click(list.getByRole('button', { name: 'Show 1 more count that differs' }));
  const rows = list.getAllByRole('listitem');
  const ends = ['Your count holds.', 'The count of Ben Reed holds.', 'It was counted again since.'];
  for (const [n, end] of ends.entries()) expect(rows[n]?.textContent).toContain(end);
  expect(screen.queryByRole('button', { name: 'Count again' })).toBeNull();
});

test('a whole machine that differs leaves the day in sight: the first ones are told, the others on demand', async () => {
  const phone = await startPhone(changes());
  const ids = [4, 5, 6, 7, 8];
  phone.server.notices = { conflicts: ids.map((id) => ({ ...conflict, id })), decided: [] };
  await phone.offline.refresh();
  const list = within(await screen.findByRole('list', { name: 'Counts that differ' }));
  expect(list.getAllByRole('button', { name: 'Count again' })).toHaveLength(2);
  await user.click(list.getByRole('button', { name: 'Show 3 more counts that differ' }));
  expect(list.getAllByRole('button', { name: 'Count again' })).toHaveLength(5);
});
