// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { buildSession } from '../offline/testing/fake-phone.ts';
import { Devices } from './devices.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const device = {
  ...{ id: 1, deviceId: 'd', deviceName: 'Van tablet', deviceType: 'tablet', routeDesignation: '101', worker: 'Sam' },
  ...{ isActive: true, lastActivity: '2026-03-02T10:00:00.000Z', ipAddress: null },
};

test('the devices of another route begin at their first page', async () => {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal('fetch', async (input: string) => {
    asked.push(new URL(input, 'http://localhost').searchParams);
    return Response.json({ rows: [device], total: 60, from: 1, next: 'second', previous: null });
  });
  const client = createQueryClient();
  const screenOf = (route: string) => (
    <QueryClientProvider client={client}>
      <SessionContext value={buildSession(1)}>
        <Devices route={route} />
      </SessionContext>
    </QueryClientProvider>
  );
  const { rerender } = render(screenOf('101'));
  await userEvent.click(await screen.findByRole('button', { name: 'Next page' }));
  await waitFor(() => expect(asked.at(-1)?.get('page')).toBe('second'));
  rerender(screenOf('202'));
  await waitFor(() => expect(asked.at(-1)?.get('route')).toBe('202'));
  expect(asked.at(-1)?.get('page')).toBeNull();
});
