// @vitest-environment happy-dom
import { act, cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import '../ui/testing.ts';
import type { IntegrationConfig } from '../../contract/integrations.ts';
import type { Role } from '../../domain/permissions.ts';
import { formatDateTime, formatTime } from '../http/format.ts';
import {
  type Answer,
  buildConfig,
  heldAnswer,
  office,
  pageOf,
  refusal,
  show,
} from '../integrations/testing/office.tsx';
import { dismissToast, toastStore } from '../ui/toasts/toast.ts';
import { LightspeedScreen } from './lightspeed-screen.tsx';

const user = userEvent.setup();
const lastToast = () => toastStore.get()[0];

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  sessionStorage.clear();
});

const store = (fields: Partial<IntegrationConfig> = {}): IntegrationConfig =>
  buildConfig({
    ...{ system: 'lightspeed', name: 'Main store', settings: { domainPrefix: 'acme' } },
    secrets: { clientSecret: { configured: true, ending: 'et' } },
    ...fields,
  });
const system = {
  ...{ system: 'lightspeed', label: 'Lightspeed Retail', basis: 'Speaks the published API.', resources: [] },
  ...{ backfills: true, hasWebhooks: true, joinsBySignIn: true },
  fields: [
    { name: 'clientId', label: 'Client ID', kind: 'text', required: 'Client ID is required' },
    { name: 'clientSecret', label: 'Client secret', kind: 'secret', required: 'Client secret is required' },
  ],
};
const outlet = {
  ...{ id: 3, lightspeedId: 'o-3', name: 'Lobby kiosk', address: '1 Main Street', currency: 'USD', timeZone: 'UTC' },
  ...{ removed: false, link: 'unsure', linkReason: 'It does not say where it is', market: null },
};

function open(path: string, answer: Answer = () => undefined, role?: Role) {
  window.history.replaceState(null, '', path);
  const server = office((call) => {
    const given = answer(call);
    if (given !== undefined) return given;
    if (call.path === '/api/integrations/configs') return [store()];
    if (call.path === '/api/integrations/systems') return [system];
    if (call.path === '/api/demo/sandbox') return { url: null, credentials: {} };
    if (call.path === '/api/lightspeed/redirect-uri')
      return { redirectUri: 'https://ours.example/api/lightspeed/callback' };
    if (call.path === '/api/lightspeed/outlets') return pageOf([outlet]);
    return pageOf([]);
  });
  return { ...server, client: show(<LightspeedScreen />, role) };
}

test('nothing leaves for Lightspeed before ID and secret are entered; then the browser goes to its sign-in', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const { writes } = open('/integrations?connect=1', ({ path, method }) => {
    if (path === '/api/integrations/configs') return [];
    return method === 'POST' ? { url: 'https://secure.retail.lightspeed.app/connect?state=s' } : undefined;
  });
  const dialog = within(await screen.findByRole('dialog', { name: 'Connect Lightspeed Retail' }));
  await user.type(await dialog.findByLabelText(/^Name/), 'Main store');
  await user.click(dialog.getByRole('button', { name: 'Connect' }));
  expect(await dialog.findByText('Client ID is required')).toBeTruthy();
  expect(writes()).toEqual([]);
  await user.type(dialog.getByLabelText(/Client ID/), 'an-id');
  await user.type(dialog.getByLabelText(/Client secret/), 'a-secret');
  await user.click(dialog.getByRole('button', { name: 'Connect' }));
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith('https://secure.retail.lightspeed.app/connect?state=s'));
  expect(writes()[0]?.body).toMatchObject({
    name: 'Main store',
    settings: { clientId: 'an-id', clientSecret: 'a-secret' },
  });
});

test('whoever closes the dialog before the answer comes is not carried off, and finds what was typed', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const held = heldAnswer();
  const { writes } = open('/integrations?connect=1', ({ path, method }) => {
    if (path === '/api/integrations/configs') return [];
    return method === 'POST' ? held.answer : undefined;
  });
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(await dialog.findByLabelText(/^Name/), 'Main store');
  await user.type(dialog.getByLabelText(/Client ID/), 'an-id');
  await user.type(dialog.getByLabelText(/Client secret/), 'a-secret');
  await user.click(dialog.getByRole('button', { name: 'Connect' }));
  await vi.waitFor(() => expect(writes()).toHaveLength(1));
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  const answer = Response.json({ url: 'https://secure.retail.lightspeed.app/connect?state=s' });
  const read = vi.spyOn(answer, 'clone');
  held.give(answer);
  await vi.waitFor(() => expect(read).toHaveBeenCalled());
  await user.click(await screen.findByRole('button', { name: 'Connect' }));
  expect(((await screen.findByLabelText(/Client ID/)) as HTMLInputElement).value).toBe('an-id');
  expect(assign).not.toHaveBeenCalled();
});

test('who is refused at Lightspeed comes back to what was typed but for the secret; a store that is connected leaves nothing', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const isAsked: Answer = ({ path, method }) => {
    if (path === '/api/integrations/configs') return [];
    return method === 'POST' ? { url: 'https://secure.retail.lightspeed.app/connect?state=s' } : undefined;
  };
  const typed = async () => {
    const dialog = within(await screen.findByRole('dialog'));
    const fields = [await dialog.findByLabelText(/^Name/), ...dialog.getAllByLabelText(/^Client (ID|secret)/)];
    return fields.map((field) => (field as HTMLInputElement).value);
  };
  open('/integrations?connect=1', isAsked);
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(await dialog.findByLabelText(/^Name/), 'Main store');
  await user.type(dialog.getByLabelText(/Client ID/), 'an-id');
  await user.type(dialog.getByLabelText(/Client secret/), 'a-secret');
  await user.click(dialog.getByRole('button', { name: 'Connect' }));
  await vi.waitFor(() => expect(assign).toHaveBeenCalled());
  cleanup();
  open('/integrations?problem=Not+allowed.&connect=1', isAsked);
  expect(await typed()).toEqual(['Main store', 'an-id', '']);
  cleanup();
  open('/integrations?connected=1', ({ method }) => (method === 'POST' ? {} : undefined));
  await vi.waitFor(() => expect(lastToast()).toMatchObject({ title: 'Lightspeed connected' }));
  cleanup();
  open('/integrations?connect=1', isAsked);
  expect((await typed())[1]).toBe('');
});

test('an edited store is said to be saved', async () => {
  open('/integrations', ({ method }) => (method === 'PUT' ? store({ name: 'Corner store' }) : undefined));
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  await user.type(await screen.findByLabelText(/Client ID/), 'an-id');
  await user.click(screen.getByRole('button', { name: 'Save Configuration' }));
  const said = { title: 'Configuration Saved', description: 'Corner store' };
  await vi.waitFor(() => expect(lastToast()).toMatchObject(said));
});

test('a sign-in that was refused says so and can be closed', async () => {
  open('/integrations?problem=The+connection+was+not+allowed.', ({ path }) =>
    path === '/api/integrations/configs' ? [] : undefined,
  );
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The connection was not allowed.');
  expect(await screen.findByText('No store connected')).toBeTruthy();
  expect(window.location.search).not.toContain('problem=');
  await user.click(within(alert).getByRole('button', { name: 'Close' }));
  await vi.waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('coming back connected reads the store at once and says so', async () => {
  const { writes } = open('/integrations?connected=1', ({ method }) => (method === 'POST' ? {} : undefined));
  await vi.waitFor(() => expect(lastToast()).toMatchObject({ title: 'Lightspeed connected' }));
  await vi.waitFor(() => expect(writes().map(({ path }) => path)).toEqual(['/api/integrations/configs/1/sync']));
  expect(window.location.search).not.toContain('connected=');
});

test('a revoked connection says what to do and offers to reconnect', async () => {
  const problem = 'Lightspeed says the connection was revoked: reconnect.';
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const { writes } = open('/integrations', ({ path, method }) => {
    const revoked = { status: 'error', problem, connected: false, nextSync: { when: 'put-right', at: null } } as const;
    if (path === '/api/integrations/configs') return [store(revoked)];
    return method === 'POST' ? { url: 'https://secure.retail.lightspeed.app/connect?state=t' } : undefined;
  });
  expect((await screen.findByRole('alert')).textContent).toContain(problem);
  expect(screen.getByText('When this is put right')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Reconnect' }));
  await vi.waitFor(() => expect(assign).toHaveBeenCalled());
  expect(writes()[0]?.body).toEqual({ configId: 1 });
});

test('a store that was never signed in to is connected by the button that its problem names', async () => {
  const problem = 'Lightspeed is not connected yet: press Connect.';
  const never = { status: 'error', problem, connected: false, settings: {} } as const;
  open('/integrations', ({ path }) => (path === '/api/integrations/configs' ? [store(never)] : undefined));
  expect((await screen.findByRole('alert')).textContent).toContain(problem);
  expect(screen.getByRole('button', { name: 'Connect' })).toBeTruthy();
});

test('a store that nobody signed in to is not called connected', async () => {
  open('/integrations', ({ path }) =>
    path === '/api/integrations/configs' ? [store({ connected: false })] : undefined,
  );
  expect(await screen.findByText('Not signed in')).toBeTruthy();
  expect(screen.queryByText('Connected')).toBeNull();
});

test('the card says when the store is read next', async () => {
  const nextSync = { when: 'at', at: '2026-01-05T22:00:00.000Z' } as const;
  open('/integrations', ({ path }) => (path === '/api/integrations/configs' ? [store({ nextSync })] : undefined));
  expect((await screen.findByText('Next sync')).nextSibling?.textContent).toBe(formatDateTime(nextSync.at));
});

test('a sync that cannot start says why', async () => {
  open('/integrations', ({ method }) =>
    method === 'POST' ? refusal(409, 'This configuration is inactive: activate it first.') : undefined,
  );
  await user.click(await screen.findByRole('button', { name: 'Sync Now' }));
  await vi.waitFor(() =>
    expect(lastToast()).toMatchObject({ title: 'Sync Failed', description: expect.stringContaining('activate it') }),
  );
});

test('a sync that was started says so, and leads to how far it is, also from another screen', async () => {
  open('/integrations?q=Lobby', ({ method }) => (method === 'POST' ? {} : undefined));
  await user.click(await screen.findByRole('button', { name: 'Sync Now' }));
  const said = { title: 'Sync Started', description: 'Main store is being read now.' };
  await vi.waitFor(() => expect(lastToast()).toMatchObject(said));
  window.history.replaceState(null, '', '/markets?q=Lobby');
  act(() => lastToast()?.action?.run());
  expect(await screen.findByText('Never synced')).toBeTruthy();
  expect(window.location.pathname + window.location.search).toBe('/integrations?config=1&tab=sync');
});

test('where its progress is in sight, a started sync says nothing besides', async () => {
  for (const { id } of toastStore.get()) dismissToast(id);
  const { writes } = open('/integrations?tab=sync', ({ method }) => (method === 'POST' ? {} : undefined));
  const start = await screen.findByRole('button', { name: 'Sync Now' });
  await user.click(start);
  await vi.waitFor(() => expect(writes()).toHaveLength(1));
  await vi.waitFor(() => expect(start).toHaveProperty('disabled', false));
  expect(toastStore.get().filter((one) => one.open)).toEqual([]);
});

test('an outlet that was not tied has it told, also once its dialog is closed', async () => {
  const held = heldAnswer();
  const { writes } = open('/integrations', ({ method, path }) => {
    if (method === 'POST') return held.answer;
    const market = { id: 70, name: 'Annex', address: '1 Main Street' };
    return path === '/api/markets/with-inventory/page' ? pageOf([market]) : undefined;
  });
  await user.click(await screen.findByRole('button', { name: 'Tie to a market' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(await dialog.findByRole('button', { name: /This one/ }));
  await vi.waitFor(() => expect(writes()).toHaveLength(1));
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  held.give(refusal(409, 'Annex was deleted meanwhile.'));
  const said = { title: 'Not Tied', description: 'Annex was deleted meanwhile.' };
  await vi.waitFor(() => expect(lastToast()).toMatchObject(said));
});

test('a running sync shows how far it is and can be cancelled; a failed one says why', async () => {
  const run = {
    ...{
      id: 4,
      configId: 1,
      cause: 'manual',
      status: 'running',
      startedAt: '2026-01-05T10:00:00.000Z',
      durationMs: null,
    },
    ...{ createdAt: '2026-01-05T10:00:00.000Z', recordsProcessed: 1, counts: { booked: 0, held: 0 }, message: null },
    ...{ errorDetails: [], progress: { resource: 'sales', records: 1, pages: 2 } },
  };
  const failed = {
    ...run,
    id: 3,
    status: 'failed',
    durationMs: 900,
    message: 'Lightspeed does not answer.',
    errorDetails: ['sales: Lightspeed does not answer.'],
    progress: null,
  };
  const { writes } = open('/integrations?tab=sync', ({ path, method }) => {
    if (path === '/api/integrations/runs') return pageOf([run, failed]);
    return method === 'POST' ? { ...run, status: 'cancelled' } : undefined;
  });
  expect(await screen.findByText('Reading sales: 1 record in 2 pages')).toBeTruthy();
  expect(screen.getByText('sales: Lightspeed does not answer.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await vi.waitFor(() => expect(writes().map(({ path }) => path)).toEqual(['/api/integrations/runs/4/cancel']));
});

test('a run says that it stops, or that its partner makes it wait and until when', async () => {
  const waitsUntil = '2026-01-05T16:05:00.000Z';
  let run = {
    ...{ id: 4, configId: 1, system: 'lightspeed', cause: 'manual', status: 'running', isStopping: false },
    ...{ startedAt: '2026-01-05T10:00:00.000Z', durationMs: null, createdAt: '2026-01-05T10:00:00.000Z' },
    ...{ recordsProcessed: 0, counts: { booked: 0, held: 0 }, message: null, errorDetails: [] },
    progress: { resource: null, records: 0, pages: 0, waitsUntil },
  };
  open('/integrations?tab=sync', ({ path, method }) => {
    if (method === 'POST') {
      run = { ...run, isStopping: true };
      return run;
    }
    return path === '/api/integrations/runs' ? pageOf([run]) : undefined;
  });
  const waits = `Lightspeed Retail asked us to wait. It goes on at ${formatTime(waitsUntil)}.`;
  expect(await screen.findByText(waits)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('Stopping…')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
});

test('an outlet without a market says why, and a failing list is asked for again', async () => {
  let fails = true;
  open('/integrations', ({ path }) =>
    path === '/api/lightspeed/outlets' && fails ? refusal(500, 'It broke here.') : undefined,
  );
  expect(await screen.findByText('It broke here.')).toBeTruthy();
  fails = false;
  await user.click(screen.getByRole('button', { name: /again/i }));
  expect(await screen.findByText('Lobby kiosk')).toBeTruthy();
});

test('on a phone, what has no column of its own stands below the first one', async () => {
  const sale = {
    ...{ id: 5, lightspeedId: 's-5', receiptNumber: 'R-77', saleDate: '2026-01-05T22:00:00.000Z', currency: 'USD' },
    ...{ total: '4.00', tax: '0.30', locationName: 'Lobby kiosk', itemCount: 2, status: 'completed' },
  };
  open('/integrations?tab=sales', ({ path }) => (path === '/api/lightspeed/sales' ? pageOf([sale]) : undefined));
  const first = (await screen.findAllByText(/R-77/))[0]?.closest('td') as HTMLElement;
  for (const told of ['R-77', 'Lobby kiosk', '2 items · tax $0.30']) expect(within(first).getByText(told)).toBeTruthy();
});

test('the market with the name of the outlet is offered first, and only once', async () => {
  const market = (id: number, name: string) => ({ id, name, address: `${id} Main Street` });
  open('/integrations', ({ path, query }) => {
    if (path !== '/api/markets/with-inventory/page') return undefined;
    if (query.get('search') === outlet.name) return pageOf([market(70, 'Lobby Kiosk')]);
    return pageOf([market(1, 'Annex'), market(70, 'Lobby Kiosk'), market(2, 'Zoo')]);
  });
  await user.click(await screen.findByRole('button', { name: 'Tie to a market' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('Lobby Kiosk');
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Lobby Kiosk'),
    expect.stringContaining('Annex'),
    expect.stringContaining('Zoo'),
  ]);
});

test.each([
  [1, '1 waiting sale is booked'],
  [2, '2 waiting sales are booked'],
])('tying an outlet tells of %i sales that waited for it', async (booked, description) => {
  open('/integrations', ({ method, path }) => {
    if (method === 'POST') return { booked };
    const market = { id: 70, name: 'Annex', address: '1 Main Street' };
    return path === '/api/markets/with-inventory/page' ? pageOf([market]) : undefined;
  });
  await user.click(await screen.findByRole('button', { name: 'Tie to a market' }));
  await user.click(await within(await screen.findByRole('dialog')).findByRole('button', { name: /This one/ }));
  await vi.waitFor(() => expect(toastStore.get()[0]).toMatchObject({ title: 'Outlet tied', description }));
});

test('a store that is disconnected is not asked for its outlets any more, also where the live word of it comes first', async () => {
  let isThere = true;
  const leave = async () => {
    isThere = false;
    await new Promise((later) => setTimeout(later, 50));
    await client.invalidateQueries();
    return { id: 1 };
  };
  const answer: Answer = ({ path, method }) => {
    if (method === 'DELETE') return leave();
    if (path === '/api/integrations/configs') return isThere ? [store()] : [];
    return path === '/api/lightspeed/outlets' && !isThere ? refusal(404, 'There is no such store.') : undefined;
  };
  const { sent, client } = open('/integrations?config=1&tab=outlets', answer, 'admin');
  await screen.findByText('Lobby kiosk');
  const asked = () => sent.filter(({ path }) => path === '/api/lightspeed/outlets').length;
  const before = asked();
  await user.click(screen.getByRole('button', { name: 'Disconnect' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Disconnect' }));
  expect(await screen.findByText('No store connected')).toBeTruthy();
  expect(asked()).toBe(before);
  expect(window.location.search).toBe('');
});
