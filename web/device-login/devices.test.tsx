// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { message } from '../integrations/testing/replies.ts';
import { buildSession } from '../offline/testing/fake-phone.ts';
import { Devices } from './devices.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

const device = {
  ...{ id: 1, deviceId: 'd', deviceName: 'Van tablet', deviceType: 'tablet', routeDesignation: '101', worker: 'Sam' },
  ...{ isActive: true, lastActivity: '2026-03-02T10:00:00.000Z', ipAddress: null },
};

const session = buildSession(1);
const admin = { ...session, person: { ...session.person, role: 'admin' as const } };

function open(route?: string, who = session): void {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={who}>
        <Devices route={route} />
      </SessionContext>
    </QueryClientProvider>,
  );
}

test('search, order and page are in the address, where a reload and a shared link find them', async () => {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal('fetch', async (input: string) => {
    asked.push(new URL(input, 'http://localhost').searchParams);
    return Response.json({ rows: [device], total: 60, from: 1, next: 'second', previous: null });
  });
  const wish = () => ['search', 'sort', 'page'].map((name) => asked.at(-1)?.get(name));
  open('101');
  await userEvent.type(await screen.findByRole('searchbox'), 'van');
  await waitFor(() => expect(asked.at(-1)?.get('search')).toBe('van'));
  await userEvent.click(await screen.findByRole('button', { name: 'Operator' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Next page' }));
  await waitFor(() => expect(wish()).toEqual(['van', 'worker', 'second']));
  expect(window.location.search).toBe('?device=van&sort=worker&page=second');
  cleanup();
  asked.length = 0;
  open('101');
  await waitFor(() => expect(wish()).toEqual(['van', 'worker', 'second']));
});

test('whether a device is signed out stands beside what it is, where a long name of its operator cannot push it away', async () => {
  const page = { rows: [{ ...device, isActive: false }], total: 1, from: 1, next: null, previous: null };
  vi.stubGlobal('fetch', async () => Response.json(page));
  open();
  const name = await screen.findByText('Van tablet');
  const lines = [...(name.parentElement?.children ?? [])].map(({ textContent }) => textContent);
  expect(lines.slice(0, 3)).toEqual(['Van tablet', 'Tablet, ended', 'Sam, route 101']);
});

test('a search that finds no device is cleared by the way out that every list offers', async () => {
  window.history.replaceState(null, '', '/?device=zzz');
  vi.stubGlobal('fetch', async (input: string) => {
    const rows = new URL(input, 'http://localhost').searchParams.get('search') ? [] : [device];
    return Response.json({ rows, total: rows.length, from: 1, next: null, previous: null });
  });
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText('Van tablet')).toBeTruthy();
  expect(window.location.search).toBe('');
});

test('a device that could not be shut out is said to be in still', async () => {
  const page = { rows: [device], total: 1, from: 1, next: null, previous: null };
  vi.stubGlobal('fetch', async (_: string, { method = 'GET' }: RequestInit = {}) => {
    if (method === 'POST') throw new TypeError('Failed to fetch');
    return Response.json(page);
  });
  open(undefined, admin);
  await userEvent.click(await screen.findByRole('button', { name: 'Revoke Van tablet' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Revoke Device' }));
  await expect.poll(message).toBe('Not Revoked: The server cannot be reached. Check the connection and try again.');
});
