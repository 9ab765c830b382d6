// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { recordProgress } from '../../offline/actions.ts';
import { keptAnswer } from '../../offline/kept/answers-kept.ts';
import {
  buildRoute,
  buildStop,
  rowOf,
  started,
  startPhone,
  stopPhones,
  tap,
  typeRestock,
} from '../testing/schedule-phone.tsx';

afterEach(stopPhones);

test('a route is completed by hand only with a reason for each open stop', async () => {
  const phone = await startPhone([started()], '', true);
  await tap('Complete Route');
  const dialog = await screen.findByRole('dialog');
  await tap('Complete Route', dialog);
  expect(within(dialog).getAllByText('Give a reason')).toHaveLength(3);
  expect(await phone.steps()).toEqual([]);
  await tap('No time', dialog);
  fireEvent.change(within(dialog).getByLabelText('2. Place 2'), { target: { value: 'Flooded' } });
  const typed = [1, 2, 3].map((n) => within(dialog).getByLabelText<HTMLInputElement>(`${n}. Place ${n}`).value);
  expect(typed).toEqual(['No time', 'Flooded', 'No time']);
  await tap('Complete Route', dialog);
  await waitFor(async () =>
    expect(await phone.steps()).toEqual(['stop-skipped 1', 'stop-skipped 2', 'stop-skipped 3', 'route-completed']),
  );
  expect(await screen.findByText('Completed', { selector: 'span' })).toBeDefined();
});

test('of two routes of the day, one of them done, the other is open', async () => {
  const done = buildRoute({ status: 'completed', stops: [buildStop(1, { completed: true })] });
  await startPhone([done, buildRoute({ id: 2, name: 'Route 102', stops: [buildStop(2, { routeId: 2 })] })]);
  expect(await rowOf('Place 2')).toBeDefined();
});

test('the end of the day: what is unsent, what came back, and the day is finished without signal', async () => {
  const stops = [buildStop(1, { completed: true }), buildStop(2, { skippedReason: 'Closed' }), buildStop(3)];
  const phone = await startPhone([started({ stops })]);
  phone.goOffline();
  await tap('Mark Complete', await rowOf('Place 3'));
  await waitFor(async () => expect(await phone.steps()).toHaveLength(1));
  await tap('End of day');
  expect(await screen.findByRole('heading', { name: '1 change is not sent' })).toBeDefined();
  const figures = await screen.findByLabelText('The day in figures');
  await waitFor(() => expect(figures.textContent).toContain('Stops completed2 of 3'));
  fireEvent.change(await screen.findByLabelText('Units of Cola, not needed'), { target: { value: '12' } });
  fireEvent.change(screen.getByLabelText('Another product'), { target: { value: 'Tea' } });
  await waitFor(() => expect(screen.getByLabelText('Units of Cola, not needed')).toHaveProperty('value', '12'));
  await tap('Add');
  await screen.findByLabelText('Units of Tea, not needed');
  await tap('Finish the day with 1 unsent');
  expect(await screen.findByText(/^Day finished/)).toBeDefined();
  const end = (await phone.entries()).find((entry) => entry.type === 'day-ended');
  expect(end).toMatchObject({
    status: 'unsent',
    event: {
      date: '2026-03-02',
      routeIds: [1],
      unsent: 1,
      returns: [
        { productName: 'Cola', reason: 'unused', units: 12 },
        { productName: 'Tea', reason: 'unused', units: 1 },
      ],
    },
  });
  await phone.goOnline();
  expect(await screen.findByRole('heading', { name: 'Nothing is unsent' })).toBeDefined();
  expect([...phone.server.field.values()].at(-1)).toMatchObject({ type: 'day-ended' });
});

test('what is typed and not saved is unsent, and no button claims to send it', async () => {
  const phone = await startPhone([started()], '&end=1');
  phone.goOffline();
  await typeRestock(phone);
  act(() => phone.offline.signal.changed());
  expect(await screen.findByRole('heading', { name: '1 change is not sent' })).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Send/ })).toBeNull();
  await act(() => recordProgress(phone.offline, { steps: [{ type: 'stop-completed', routeId: 1, stopId: 1 }] }));
  expect(await screen.findByRole('heading', { name: '2 changes are not sent' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Send 1 now' })).toBeDefined();
});

test('one change that is typed alone is spoken of as one, and a short day in minutes', async () => {
  const phone = await startPhone([started()], '&end=1');
  await typeRestock(phone);
  act(() => phone.offline.signal.changed());
  expect(await screen.findByText('Save what you typed, then it is sent.')).toBeDefined();
  expect(screen.getByText('Time on the route').nextSibling?.textContent).toMatch(/^\d+ min$/);
});

test('what came back is counted tap by tap, however fast the fingers are', async () => {
  const phone = await startPhone([started({ stops: [buildStop(1, { skippedReason: 'Closed' })] })], '&end=1');
  const units = await screen.findByLabelText<HTMLInputElement>('Units of Cola, not needed');
  expect(units.value).toBe('7');
  for (let n = 0; n < 3; n++) fireEvent.click(screen.getByRole('button', { name: 'One more of Cola' }));
  expect(units.value).toBe('10');
  fireEvent.change(units, { target: { value: '2' } });
  fireEvent.change(units, { target: { value: `${units.value}4` } });
  expect(units.value).toBe('24');
  await waitFor(async () =>
    expect((await keptAnswer(phone.offline, 'typed:1:day-end:2026-03-02'))?.value).toMatchObject({
      returns: [{ units: 24 }],
    }),
  );
});
