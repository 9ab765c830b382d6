// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import '../ui/testing.ts';
import { formatDay } from '../http/format.ts';
import { buildConfig, nayaxSystem, office, pageOf, show } from '../integrations/testing/office.tsx';
import { toastStore } from '../ui/toasts/toast.ts';
import { ConnectionList } from './connection-list.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

test('sales that are read again are told of with the day as it is written everywhere', async () => {
  const { writes } = office(({ method, path }) => {
    if (method === 'POST') return {};
    if (path === '/api/integrations/configs') return [buildConfig()];
    if (path === '/api/integrations/systems') return [{ ...nayaxSystem, backfills: true }];
    return pageOf([]);
  });
  show(<ConnectionList />);
  fireEvent.change(await screen.findByLabelText('Read again since'), { target: { value: '2026-01-02' } });
  await userEvent.setup().click(screen.getByRole('button', { name: 'Backfill' }));
  await vi.waitFor(() =>
    expect(toastStore.get()[0]).toMatchObject({
      title: 'Reading again',
      description: `Sales since ${formatDay('2026-01-02')}. What is known is not counted twice.`,
    }),
  );
  expect(writes()[0]?.body).toEqual({ from: '2026-01-02' });
});

test('what a problem asks for is one click away: its own connection on the screen of its system', async () => {
  office(({ path }) => {
    if (path === '/api/integrations/configs')
      return [buildConfig({ id: 7, status: 'error', problem: 'The hash code is refused.' })];
    if (path === '/api/integrations/systems') return [nayaxSystem];
    return pageOf([]);
  });
  show(<ConnectionList />);
  await screen.findByText('The hash code is refused.');
  expect(screen.getByRole('link', { name: 'Nayax Core' }).getAttribute('href')).toBe('/nayax-moma?config=7');
});

test('connections that wait for a person come first, the others as they came', async () => {
  const configs = [
    buildConfig({ id: 1, name: 'First' }),
    buildConfig({ id: 2, name: 'Failing', status: 'error', problem: 'The hash code is refused.' }),
    buildConfig({ id: 3, name: 'Off', isActive: false, status: 'inactive' }),
    buildConfig({ id: 4, name: 'Failing too', status: 'error', problem: 'It does not answer.' }),
    buildConfig({ id: 5, name: 'Last' }),
  ];
  office(({ path }) => {
    if (path === '/api/integrations/configs') return configs;
    return path === '/api/integrations/systems' ? [nayaxSystem] : pageOf([]);
  });
  show(<ConnectionList />);
  await screen.findByText('First');
  const names = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(names).toEqual(['Failing', 'Failing too', 'First', 'Off', 'Last']);
});
