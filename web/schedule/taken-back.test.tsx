// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { dropSecondTaps } from '../shell/second-tap.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { buildRoute, buildStop, rowOf, started, startPhone, stopPhones, tap } from './testing/schedule-phone.tsx';

afterEach(stopPhones);

/** The second tap of a glove lands where the first one did, on whatever is there by then. */
async function tapTwice(name: string, comes: string): Promise<void> {
  const stop = dropSecondTaps(() => 0);
  try {
    fireEvent.click(await screen.findByRole('button', { name }), { detail: 1 });
    fireEvent.click(await screen.findByRole('button', { name: comes }), { detail: 1 });
  } finally {
    stop();
  }
}

test('the second tap of a double tap takes back nothing of what the first one did', async () => {
  const phone = await startPhone([started()]);
  phone.goOffline();
  await tap(/Place 1/);
  await tapTwice('Mark Complete', 'Undo completion');
  expect(await phone.steps()).toEqual(['stop-completed 1']);
  await tap('Undo completion');
  expect(await screen.findByRole('button', { name: 'Arrive' })).toBeDefined();
});

test('the second tap of a double tap arrives at no next stop and gives no reason to skip one', async () => {
  const phone = await startPhone([started()]);
  phone.goOffline();
  await tap(/Place 1/);
  await tapTwice('Skip', 'No access');
  await tap('Closed');
  await tapTwice('Next stop', 'Arrive');
  expect(await screen.findByRole('heading', { name: 'Stop 2 of 3' })).toBeDefined();
  expect(await phone.steps()).toEqual(['stop-skipped 1']);
});

test('arrival, completion and skip are taken back from the toast and from the stop', async () => {
  const phone = await startPhone([started()]);
  phone.goOffline();
  // What can be taken back is offered a moment before the stop is drawn anew.
  const isDrawn = () => waitFor(() => expect(screen.queryByRole('button', { name: 'Arrive' })).toBeNull());
  await tap(/Place 1/);
  await tap('Arrive');
  await isDrawn();
  await tap('Undo arrival');
  expect(await screen.findByRole('button', { name: 'Arrive' })).toBeDefined();
  await tap('Mark Complete');
  await screen.findByRole('button', { name: 'Undo completion' });
  await isDrawn();
  act(() =>
    toastStore
      .get()
      .find((one) => one.open)
      ?.action?.run(),
  );
  expect(await screen.findByRole('button', { name: 'Arrive' })).toBeDefined();
  await tap('Skip');
  await tap('No access');
  await isDrawn();
  await tap('Undo skip');
  expect(await screen.findByRole('button', { name: 'Arrive' })).toBeDefined();
  expect(await phone.steps()).toEqual([
    'stop-arrived 1',
    'arrival-undone 1',
    'stop-completed 1',
    'stop-reopened 1',
    'arrival-undone 1',
    'stop-skipped 1',
    'stop-reopened 1',
  ]);
});

test('a completion that the server has already is taken back too, as a step of its own', async () => {
  const phone = await startPhone([started()], '', true);
  await tap('Mark Complete', await rowOf('Place 1'));
  const sent = () => [...phone.server.field.values()].map((event) => event.type);
  await waitFor(() => expect(sent()).toEqual(['stop-completed']));
  await tap('Undo completion');
  await waitFor(() => expect(sent()).toEqual(['stop-completed', 'stop-reopened', 'arrival-undone']));
  expect(await within(await rowOf('Place 1')).findByRole('button', { name: 'Mark Complete' })).toBeDefined();
});

test('a stop that is opened while the start is being written stays open', async () => {
  const phone = await startPhone([buildRoute()]);
  phone.goOffline();
  const start = await screen.findByRole('button', { name: 'Start Route' });
  const stop = within(await rowOf('Place 1')).getAllByRole('button')[0];
  fireEvent.click(start);
  if (stop) fireEvent.click(stop);
  await waitFor(async () => expect(await phone.steps()).toEqual(['route-started']));
  expect(await screen.findByRole('button', { name: 'Arrive' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Back to the stops' })).toBeDefined();
});

test('a start by mistake is taken back', async () => {
  const phone = await startPhone([buildRoute()]);
  phone.goOffline();
  await tap('Start Route');
  await tap('Undo start');
  expect(await screen.findByRole('button', { name: 'Start Route' })).toBeDefined();
  expect(await phone.steps()).toEqual(['route-started', 'start-undone']);
});

test('once the office has completed a stop, the start is not offered to be taken back any more', async () => {
  const phone = await startPhone([buildRoute()]);
  phone.goOffline();
  await tap('Start Route');
  await screen.findByRole('button', { name: 'Undo start' });
  phone.routes = [started({ stops: [buildStop(1, { completed: true }), buildStop(2)] })];
  await phone.goOnline();
  phone.goOffline();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo start' })).toBeNull());
});
