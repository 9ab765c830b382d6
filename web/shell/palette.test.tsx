// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '../../contract/auth.ts';
import type { Role } from '../../domain/permissions.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { Palette } from './palette.tsx';

const user = userEvent.setup();

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  vi.stubGlobal('fetch', async () =>
    Response.json([
      { kind: 'product', id: 7, title: 'Cola Zero', detail: 'Cola' },
      { kind: 'route', id: 4, title: 'Route 101', detail: '2026-11-29' },
      { kind: 'person', id: 3, title: 'Ann Lee', detail: 'ann@example.com' },
    ]),
  );
  window.history.replaceState(null, '', '/');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(role: Role): void {
  const person = { id: 1, email: 'a@example.com', firstName: 'A', lastName: 'B', role, routeDesignation: null };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={{ person } as unknown as Session}>
        <Palette onClose={() => undefined} />
      </SessionContext>
    </QueryClientProvider>,
  );
}

const type = (text: string) => user.type(screen.getByPlaceholderText(/^Market, machine/), text);
const here = () => window.location.pathname + window.location.search;

test.each([
  ['cola', 'Cola Zero', '/products/7'],
  ['ann', 'Ann Lee', '/admin-dashboard?q=ann%40example.com'],
])('%s opens %s where it is shown', async (text, title, address) => {
  open('admin');
  await type(text);
  await user.click(await screen.findByText(title));
  expect(here()).toBe(address);
});

test('a route is told from its namesakes by its day, written as everywhere', async () => {
  open('admin');
  await type('route');
  expect((await screen.findByText('Route 101')).nextElementSibling?.textContent).toBe('Nov 29, 2026');
});

test.each([
  ['new catalogue', 'Add Product', '/products?add=1'],
  ['user driver', 'Invite a Person', '/admin-dashboard?add=1'],
])('%s: an action is begun from anywhere by some of its words', async (words, label, address) => {
  open('admin');
  await type(words);
  await user.click(await screen.findByText(label));
  expect(here()).toBe(address);
});

test('nobody is offered what they may not do', async () => {
  open('field_worker');
  await type('add');
  expect(await screen.findByText('Cola Zero')).toBeTruthy();
  expect(screen.queryByText('Add Market')).toBeNull();
});

test('a search without an answer is not told as one that found nothing, and is tried again', async () => {
  const known = globalThis.fetch;
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  open('admin');
  await type('cola');
  expect((await screen.findByRole('alert')).textContent).toContain('The server cannot be reached.');
  expect(screen.queryByText(/Nothing found/)).toBeNull();
  vi.stubGlobal('fetch', known);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Cola Zero')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});
