// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { DeliveryTold } from '../../contract/integration-review.ts';
import { pageOf } from '../integrations/testing/office.tsx';
import { at, open, toldOf } from './testing/review-office.tsx';

const user = userEvent.setup();

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const waiting: DeliveryTold = {
  ...{ id: 1, configId: 1, system: 'nayax', configName: 'North', eventType: 'queue.event', eventId: null },
  ...{ status: 'pending', attempts: 0, repeats: 0, bodyBytes: 20, receivedAt: at, nextAttemptAt: at },
  ...{ processedAt: null, error: null, canReplay: true, alike: 1, leftOut: null },
};

test.each([
  ['done', null, { title: 'Replayed', description: 'The message is processed.' }],
  ['dead', 'It names no machine.', { title: 'Failed again', description: 'It names no machine.' }],
  ['pending', 'Not yet.', { title: 'Failed for now', description: 'Not yet. It is tried again by itself.' }],
])('a replay that ends %s is told so', async (status, error, told) => {
  open('messages', ({ path, method }) => {
    if (method === 'POST') return { id: 1, status, error };
    return path === '/api/integrations/deliveries' ? pageOf([{ ...waiting, status: 'dead' }]) : undefined;
  });
  await user.click(await screen.findByRole('button', { name: 'Replay' }));
  await vi.waitFor(() => expect(toldOf()).toMatchObject(told));
});

test('a message that nobody needs is left out with a reason, alone or with all that failed for the same', async () => {
  const failing = { ...waiting, status: 'dead', error: 'It names no machine.', alike: 3 } as const;
  const { writes } = open('messages', ({ path, method }) => {
    if (method === 'POST') return { messages: 3 };
    return path === '/api/integrations/deliveries' ? pageOf([failing]) : undefined;
  });
  await user.click(await screen.findByRole('button', { name: 'Leave out' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave out queue.event?' }));
  expect(document.activeElement).toBe(dialog.getByLabelText('Why'));
  await user.click(dialog.getByRole('button', { name: 'Leave out' }));
  expect(dialog.getByText('Say why')).toBeTruthy();
  expect(writes()).toEqual([]);
  await user.type(dialog.getByLabelText('Why'), 'A test of the partner');
  await user.click(dialog.getByLabelText('All 3 messages of North that failed for this'));
  await user.click(dialog.getByRole('button', { name: 'Leave out 3 messages' }));
  await vi.waitFor(() => expect(toldOf()).toMatchObject({ title: 'Left out', action: { label: 'Undo' } }));
  toldOf()?.action?.run();
  await vi.waitFor(() => expect(writes()).toHaveLength(2));
  expect(writes()).toMatchObject([
    { path: '/api/integrations/deliveries/1/leave-out', body: { reason: 'A test of the partner', alike: true } },
    { path: '/api/integrations/deliveries/1/take-back', body: { alike: true } },
  ]);
});

test('a message that was left out says who did so and why, and goes back by one click', async () => {
  const leftOut = { at, by: 'Ana Reyes', reason: 'A test of the partner' };
  const { writes } = open('messages&messages=left_out', ({ path, method }) => {
    if (method === 'POST') return { messages: 1 };
    return path === '/api/integrations/deliveries' ? pageOf([{ ...waiting, status: 'left_out', leftOut }]) : undefined;
  });
  expect(await screen.findByText('“A test of the partner”')).toBeTruthy();
  expect(screen.getByText(/^Ana Reyes, Jan 5, 2026/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Replay' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Take back' }));
  await vi.waitFor(() => expect(toldOf()).toMatchObject({ title: 'Taken back' }));
  expect(writes()).toMatchObject([{ path: '/api/integrations/deliveries/1/take-back', body: { alike: false } }]);
});

test('a message that failed shows what came, and why it failed', async () => {
  const sale = { deviceId: 'D5', productName: 'Cola', amount: '1.50', currency: 'USD', soldAt: at };
  open('messages', ({ path }) => {
    if (path === '/api/integrations/deliveries/1/content')
      return { id: 1, text: '{"MachineID":5}', isShortened: false, sales: [sale] };
    if (path !== '/api/integrations/deliveries') return undefined;
    return pageOf([{ ...waiting, status: 'dead', error: 'It names no machine.' }]);
  });
  expect(await screen.findByText('It names no machine.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Show content' }));
  expect(await screen.findByText('{"MachineID":5}')).toBeTruthy();
  expect(screen.getByText(/^Cola, \$1\.50, device D5, /)).toBeTruthy();
});

test('a message that waits is not called processed, however often it was told', async () => {
  open('messages', ({ path }) =>
    path === '/api/integrations/deliveries'
      ? pageOf([waiting, { ...waiting, id: 2, repeats: 2 }, { ...waiting, id: 3, repeats: 1, status: 'done' }])
      : undefined,
  );
  expect(await screen.findByText('Not processed yet.')).toBeTruthy();
  expect(screen.getByText('Told 3 times, not processed yet.')).toBeTruthy();
  expect(screen.getByText('Told 2 times, processed once.')).toBeTruthy();
});
