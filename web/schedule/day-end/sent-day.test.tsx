// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { recordProgress } from '../../offline/actions.ts';
import { forgetSession, rememberSession } from '../../offline/session.ts';
import { buildSession } from '../../offline/testing/fake-phone.ts';
import { buildRoute, buildStop, type SchedulePhone, startPhone, stopPhones } from '../testing/schedule-phone.tsx';

afterEach(stopPhones);

const stops = [buildStop(1, { skippedReason: 'Closed' }), buildStop(2), buildStop(3)];

/** Seven Cola were loaded for each stop, and one stop is settled. */
const startDay = () =>
  startPhone([buildRoute({ status: 'in_progress', startedAt: '2026-03-02T05:00:00.000Z', stops })], '&end=1');

const press = async (name: RegExp | string) => {
  const button = await screen.findByRole<HTMLButtonElement>('button', { name });
  await waitFor(() => expect(button.disabled).toBe(false));
  fireEvent.click(button);
};
const field = () => screen.findByLabelText<HTMLInputElement>('Units of Cola, not needed');
const sent = () => screen.findByLabelText('What was sent');
const broughtBack = async () => {
  await sent();
  return screen.getByLabelText('Brought back').textContent;
};
const saidReturns = async (phone: SchedulePhone) =>
  (await phone.entries()).flatMap((entry) => (entry.type === 'day-ended' ? [entry.event.returns] : []));

const skipSecond = (phone: SchedulePhone) =>
  act(() =>
    recordProgress(phone.offline, { steps: [{ type: 'stop-skipped', routeId: 1, stopId: 2, reason: 'Closed' }] }),
  );

test('a finished day shows what was sent, not what would be expected by now', async () => {
  const phone = await startDay();
  await waitFor(async () => expect((await field()).value).toBe('7'));
  await press(/^Finish the day/);
  expect(await broughtBack()).toBe('Units brought back7ColaNot needed7');
  await skipSecond(phone);
  await phone.open('', false);
  await phone.open('&end=1', false);
  await waitFor(() => expect(screen.getByLabelText('The day in figures').textContent).toContain('Stops skipped2'));
  expect(await broughtBack()).toBe('Units brought back7ColaNot needed7');
  expect(screen.queryByLabelText(/^Units of Cola/)).toBeNull();
  expect((await sent()).textContent).toContain('Day finished');
});

test('what was sent is corrected from what was sent, and a correction that is left changes nothing', async () => {
  const phone = await startDay();
  fireEvent.change(await field(), { target: { value: '12' } });
  await press(/^Finish the day/);
  await press('Correct what was sent');
  expect((await field()).value).toBe('12');
  fireEvent.change(await field(), { target: { value: '99' } });
  await press('Leave it as it was sent');
  expect(await broughtBack()).toContain('Units brought back12');
  await press('Correct what was sent');
  expect((await field()).value).toBe('12');
  fireEvent.change(await field(), { target: { value: '10' } });
  await press(/^Finish the day/);
  await waitFor(async () => expect((await saidReturns(phone)).map(([line]) => line?.units)).toEqual([12, 10]));
  await waitFor(async () => expect(await broughtBack()).toContain('Units brought back10'));
});

test('a day that another phone has finished shows what that one sent, and is corrected from there', async () => {
  const phone = await startDay();
  phone.dayEnds = [
    {
      ...{ eventId: '00000000-0000-4000-8000-0000000000aa', personId: 1, personName: 'Sam Number 1' },
      ...{ date: '2026-03-02', endedAt: '2026-03-02T14:05:00.000Z', routeIds: [1], unitsFilled: 140, unsent: 0 },
      ...{ returns: [{ productName: 'Tea', reason: 'expired', units: 3 }], bagNumbers: ['B-9'] },
    },
  ];
  await phone.open('&end=1', false);
  expect(await broughtBack()).toBe('Units brought back3TeaExpired3');
  const bags = screen.getByLabelText('Cash bags');
  expect(within(bags).getByText('B-9')).toBeDefined();
  expect(within(bags).getByText('Handed over')).toBeDefined();
  expect(screen.getByLabelText('The day in figures').textContent).toContain('Units filled140');
  await press('Correct what was sent');
  expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: /B-9/ })).checked).toBe(true);
  expect(screen.queryByLabelText('Units of Cola, not needed')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Units of Tea, expired').value).toBe('3');
});

test('after a sign-out what was typed before the day was finished does not lie over what was sent', async () => {
  const phone = await startDay();
  fireEvent.change(await field(), { target: { value: '12' } });
  await press(/^Finish the day/);
  await sent();
  await act(() => phone.offline.sender.flush());
  const [end] = [...phone.server.field.values()].filter((event) => event.type === 'day-ended');
  if (end?.type !== 'day-ended') throw new Error('The day was not sent');
  phone.dayEnds = [
    { ...end, personId: 1, personName: 'Sam Number 1', endedAt: end.occurredAtClient, bagNumbers: [], returns: [] },
  ];
  await act(() => forgetSession(phone.offline, { isTold: true }));
  await act(() => rememberSession(phone.offline, buildSession(1)));
  await act(() => phone.offline.refresh());
  await phone.open('&end=1', false);
  expect(await broughtBack()).toBe('Units brought back0');
});
