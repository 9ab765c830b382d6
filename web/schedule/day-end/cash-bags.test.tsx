// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { changeVisit, closeVisit, openVisit } from '../../offline/day/visits.ts';
import { keepAnswer } from '../../offline/kept/answers-kept.ts';
import { buildRoute, type SchedulePhone, startPhone, stopPhones } from '../testing/schedule-phone.tsx';

afterEach(stopPhones);

/** A day with a bag at each of two machines, at its end. */
async function dayWithBags(): Promise<SchedulePhone> {
  const phone = await startPhone([buildRoute({ status: 'in_progress', startedAt: '2026-03-02T05:00:00.000Z' })]);
  phone.goOffline();
  for (const id of [1, 2]) {
    const location = { type: 'vending_machine' as const, id };
    const visitId = await openVisit(phone.offline, { location, routeId: 1, stopId: id });
    await changeVisit(phone.offline, visitId, { bagNumber: `B-${id}` });
    await closeVisit(phone.offline, visitId);
  }
  return phone;
}

const bag = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name: new RegExp(name) });
const finishButton = () => screen.findByRole<HTMLButtonElement>('button', { name: /^Finish the day/ });
const finish = async () => {
  const button = await finishButton();
  await waitFor(() => expect(button.disabled).toBe(false));
  fireEvent.click(button);
};
const handedOver = async (phone: SchedulePhone) =>
  (await phone.entries()).flatMap((entry) => (entry.type === 'day-ended' ? [entry.event.bagNumbers] : []));

test('a bag is handed over once its driver says so, and who says nothing is told before the day is finished', async () => {
  const phone = await dayWithBags();
  await phone.open('&end=1', false);
  expect((await bag('B-1')).checked).toBe(false);
  expect(screen.getByText('Tick each bag as you hand it over.')).toBeDefined();
  expect(screen.getByText('2 cash bags are not ticked. The office will read them as not handed over.')).toBeDefined();
  await finish();
  await waitFor(async () => expect(await handedOver(phone)).toEqual([[]]));
  fireEvent.click(await screen.findByRole('button', { name: 'Correct what was sent' }));
  fireEvent.click(await bag('B-1'));
  expect(screen.getByText('1 cash bag is not ticked. The office will read it as not handed over.')).toBeDefined();
  fireEvent.click(await bag('B-2'));
  expect(screen.queryByText(/not handed over/i)).toBeNull();
  await finish();
  await waitFor(async () => expect(await handedOver(phone)).toEqual([[], ['B-1', 'B-2']]));
});

test('many units that come back are told as all large numbers are', async () => {
  const phone = await dayWithBags();
  const line = { productName: 'Cola', reason: 'unused', units: 1378 };
  await keepAnswer(phone.offline, 'typed:1:day-end:2026-03-02', { returns: [line], bagNumbers: [] });
  await phone.open('&end=1', false);
  expect(await screen.findByText('Not needed: 1,378')).toBeDefined();
  expect(screen.getByText('1,378')).toBeDefined();
});

test('a double tap finishes the day once', async () => {
  const phone = await dayWithBags();
  await phone.open('&end=1', false);
  await userEvent.setup().dblClick(await finishButton());
  expect(await screen.findByRole('button', { name: 'Correct what was sent' })).toBeDefined();
  await phone.offline.refresh();
  expect(await handedOver(phone)).toHaveLength(1);
});

test('what was ticked stays ticked when the screen is left and opened again', async () => {
  const phone = await dayWithBags();
  await phone.open('&end=1', false);
  fireEvent.click(await bag('B-2'));
  await phone.open('', false);
  await phone.open('&end=1', false);
  await waitFor(async () => expect((await bag('B-2')).checked).toBe(true));
  expect((await bag('B-1')).checked).toBe(false);
});

test('what a phone kept before bags were ticked one by one is read as none ticked', async () => {
  const phone = await dayWithBags();
  await keepAnswer(phone.offline, 'typed:1:day-end:2026-03-02', { returns: [], heldBags: ['B-2'] });
  await phone.open('&end=1', false);
  expect((await bag('B-1')).checked).toBe(false);
});
