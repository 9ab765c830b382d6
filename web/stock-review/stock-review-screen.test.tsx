// @vitest-environment happy-dom
import '../ui/testing.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CountConflict, HeldEvent } from '../../contract/stock-review.ts';
import { createQueryClient } from '../http/query-client.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { StockReviewScreen } from './stock-review-screen.tsx';

const user = userEvent.setup();

const conflict: CountConflict = {
  id: 4,
  itemType: 'machine_slot',
  itemId: 9,
  productName: 'Cola',
  slotNumber: 'A1',
  place: 'Lobby',
  location: { type: 'vending_machine', id: 1 },
  first: { quantity: 12, person: 'Ann Lee', at: '2026-03-12T14:40:00Z' },
  second: { quantity: 7, person: 'Ben Reed', at: '2026-03-12T14:50:00Z' },
  moved: -2,
  quantityNow: 7,
};
const held: HeldEvent = {
  eventId: 'e1',
  status: 'rejected',
  reason: 'This location was not on your route at that time.',
  kind: 'restock',
  quantity: 6,
  capacity: null,
  note: 'Helped out',
  productName: 'Chips',
  slotNumber: 'B2',
  place: 'Canteen',
  location: { type: 'vending_machine', id: 2 },
  person: 'Ann Lee',
  happenedAt: '2026-03-12T14:00:00Z',
  receivedAt: '2026-03-12T15:00:00Z',
};
const unreadable: HeldEvent = { ...held, eventId: 'e2', kind: 'unreadable', quantity: null, productName: null };

const none = { total: 0, rows: [] };

let sent: string[] = [];
let body: unknown;
let answers: Record<string, () => Response> = {};
beforeEach(() => {
  sent = [];
  body = { conflicts: { total: 1, rows: [conflict] }, held: { total: 2, rows: [held, unreadable] }, leftOut: none };
  answers = {};
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const name = `${init.method ?? 'GET'} ${new URL(input, 'http://localhost').pathname}`;
    if (init.method === 'POST') sent.push(`${name} ${String(init.body ?? '')}`.trim());
    const answer = answers[name];
    if (answer) return answer();
    return Response.json(name === 'GET /api/stock-review' ? body : {});
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <StockReviewScreen />
    </QueryClientProvider>,
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const toastTitles = () => toastStore.get().map(({ title }) => title);

test('two differing counts stand side by side, and either can be made to hold', async () => {
  const row = (await screen.findByText('Cola, A1')).closest('li');
  if (!row) throw new Error('no row');
  expect(row.textContent).toMatch(/12Ann Lee.*2 taken out since: 10 at the later count/);
  answers['POST /api/stock-review/conflicts/4/settle'] = () => Response.json({ quantity: 9 });
  await user.click(within(row).getByRole('button', { name: 'Keep 10' }));
  await waitFor(() => expect(sent).toEqual(['POST /api/stock-review/conflicts/4/settle {"keep":"first"}']));
  await waitFor(() => expect(toastTitles()).toContain('Count settled'));
});

test('a settled count is taken back, and a refusal says so', async () => {
  const undo = () =>
    toastStore
      .get()
      .find(({ title }) => title === 'Count settled')
      ?.action?.run();
  answers['POST /api/stock-review/conflicts/4/settle'] = () => Response.json({ quantity: 9 });
  await user.click(await screen.findByRole('button', { name: 'Keep 10' }));
  await waitFor(() => expect(toastTitles()).toContain('Count settled'));
  answers['POST /api/stock-review/conflicts/4/reopen'] = () =>
    Response.json({ code: 'conflict', detail: 'The item was counted again since.' }, { status: 409 });
  undo();
  await waitFor(() => expect(sent).toContain('POST /api/stock-review/conflicts/4/reopen'));
  await waitFor(() => expect(toastTitles()).toContain('Not taken back'));
});

test('a held change is told in words and can be booked; an unreadable one only be left out', async () => {
  const row = (await screen.findByText('Restock of Chips, B2: +6')).closest('li');
  if (!row) throw new Error('no row');
  expect(row.textContent).toContain('Helped out');
  await user.click(within(row).getByRole('button', { name: 'Book as of then' }));
  await waitFor(() => expect(sent).toEqual(['POST /api/stock-review/held/e1/accept']));
  const odd = screen.getByText('A change that could not be read').closest('li');
  if (!odd) throw new Error('no row');
  expect(within(odd).getAllByRole('button')).toHaveLength(1);
});

test('a count above what the slot holds says so before it is booked', async () => {
  const tooMuch: HeldEvent = { ...held, eventId: 'e3', kind: 'count', quantity: 9_999, capacity: 14 };
  const full: HeldEvent = { ...tooMuch, eventId: 'e4', quantity: 14 };
  body = { conflicts: none, held: { total: 2, rows: [tooMuch, full] }, leftOut: none };
  cleanup();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <StockReviewScreen />
    </QueryClientProvider>,
  );
  expect(await screen.findAllByText('More than the slot holds: 14')).toHaveLength(1);
  expect(screen.getByText('Count of Chips, B2: 9,999')).toBeDefined();
});

test('what was left out can be put back, and a refusal is told in the server’s words', async () => {
  const row = (await screen.findByText('Restock of Chips, B2: +6')).closest('li');
  if (!row) throw new Error('no row');
  await user.click(within(row).getByRole('button', { name: 'Leave out' }));
  await waitFor(() => expect(toastTitles()).toContain('Left out'));
  toastStore
    .get()
    .find(({ title }) => title === 'Left out')
    ?.action?.run();
  await waitFor(() =>
    expect(sent).toEqual(['POST /api/stock-review/held/e1/dismiss', 'POST /api/stock-review/held/e1/reopen']),
  );
  answers['POST /api/stock-review/held/e1/accept'] = () =>
    Response.json({ detail: 'This slot holds at most 5.' }, { status: 409 });
  await user.click(within(row).getByRole('button', { name: 'Book as of then' }));
  await waitFor(() =>
    expect(toastStore.get().map(({ description }) => description)).toContain('This slot holds at most 5.'),
  );
});

test('what was left out stays on the page, and is put back from there', async () => {
  body = { conflicts: none, held: none, leftOut: { total: 1, rows: [held] } };
  cleanup();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <StockReviewScreen />
    </QueryClientProvider>,
  );
  const list = await screen.findByRole('region', { name: 'Left out in the last 14 days' });
  expect(screen.queryByText(/is booked/)).toBeNull();
  await user.click(within(list).getByRole('button', { name: 'Put back' }));
  await waitFor(() => expect(sent).toEqual(['POST /api/stock-review/held/e1/reopen']));
  await waitFor(() => expect(toastTitles()).toEqual(['Put back']));
});

/** What is left once the server has had a decision. */
function leaveAfter(name: string, left: Record<string, unknown>): void {
  answers[`POST /api/stock-review/${name}`] = () => {
    body = left;
    return Response.json({ quantity: 12 });
  };
}

const rows = (...listed: unknown[]) => ({ total: listed.length, rows: listed });

async function open(shown: Record<string, unknown>): Promise<void> {
  body = shown;
  cleanup();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <StockReviewScreen />
    </QueryClientProvider>,
  );
  await screen.findAllByRole('listitem');
}

const focusedIn = (name: string) => {
  const row = screen.getByText(name).closest('li') as HTMLElement;
  return row.contains(document.activeElement) ? document.activeElement?.textContent : null;
};

test('settling by keyboard goes on with the same choice of the next row, and after the last with the heading', async () => {
  const next = { ...conflict, id: 5, slotNumber: 'A2' };
  await open({ conflicts: rows(conflict, next), held: none, leftOut: none });
  leaveAfter('conflicts/4/settle', { conflicts: rows(next), held: none, leftOut: none });
  leaveAfter('conflicts/5/settle', { conflicts: none, held: none, leftOut: none });
  screen.getAllByRole('button', { name: 'Keep 7' })[0]?.focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByText('Cola, A1')).toBeNull());
  await waitFor(() => expect(focusedIn('Cola, A2')).toBe('Keep 7'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Counts that differ' })));
});

test('whoever presses beside the rows meanwhile keeps the focus where it is', async () => {
  const next = { ...conflict, id: 5, slotNumber: 'A2' };
  await open({ conflicts: rows(conflict, next), held: none, leftOut: none });
  leaveAfter('conflicts/4/settle', { conflicts: rows(next), held: none, leftOut: none });
  const [keep] = screen.getAllByRole('button', { name: 'Keep 7' });
  keep?.focus();
  await user.pointer({ keys: '[MouseLeft]', target: document.body });
  expect(document.activeElement).toBe(document.body);
  if (keep) fireEvent.click(keep);
  await waitFor(() => expect(screen.queryByText('Cola, A1')).toBeNull());
  expect(document.activeElement).toBe(document.body);
});

test('a row settled by a press goes on with the next row all the same', async () => {
  const next = { ...conflict, id: 5, slotNumber: 'A2' };
  await open({ conflicts: rows(conflict, next), held: none, leftOut: none });
  leaveAfter('conflicts/4/settle', { conflicts: rows(next), held: none, leftOut: none });
  const [keep] = screen.getAllByRole('button', { name: 'Keep 7' });
  keep?.focus();
  if (keep) await user.click(keep);
  await waitFor(() => expect(screen.queryByText('Cola, A1')).toBeNull());
  await waitFor(() => expect(focusedIn('Cola, A2')).toBe('Keep 7'));
});

test('leaving out and putting back by keyboard goes on with the next row, and with the screen where the list is gone', async () => {
  await open({ conflicts: none, held: rows(held, unreadable), leftOut: none });
  leaveAfter('held/e1/dismiss', { conflicts: none, held: rows(unreadable), leftOut: rows(held) });
  leaveAfter('held/e1/reopen', { conflicts: none, held: rows(unreadable, held), leftOut: none });
  screen.getAllByRole('button', { name: 'Leave out' })[0]?.focus();
  await user.keyboard('{Enter}');
  const list = await screen.findByRole('region', { name: 'Left out in the last 14 days' });
  const waiting = screen.getByRole('region', { name: 'Changes that were not booked' });
  await waitFor(() => expect(document.activeElement).toBe(within(waiting).getByRole('button', { name: 'Leave out' })));
  within(list).getByRole('button', { name: 'Put back' }).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Counts to Review' })));
});

test('with nothing to decide it says so', async () => {
  body = { conflicts: none, held: none, leftOut: none };
  cleanup();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <StockReviewScreen />
    </QueryClientProvider>,
  );
  expect(await screen.findByText('No counts differ.')).toBeDefined();
  expect(screen.getByText('No change from the phones waits for a decision.')).toBeDefined();
});
