// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SyncStatus } from '../../contract/sync-center.ts';
import { refusal, show } from '../integrations/testing/office.tsx';
import { closeScreen, message, type Replies, type Sent, stubServer } from '../integrations/testing/replies.ts';
import { SyncCenterScreen } from './sync-center-screen.tsx';

const user = userEvent.setup();
const keys = ['lightspeed', 'cantaloupe', 'nayax', 'moma', 'nama_vdi'] as const;

function statusOf(missing: readonly (typeof keys)[number][], fields: Partial<SyncStatus> = {}): SyncStatus {
  return {
    connected: missing.length === 0,
    connectedSystems: keys.filter((key) => !missing.includes(key)),
    missingConnections: [...missing],
    totalDevices: 1_234,
    lastSync: '2026-03-12T15:00:00.000Z',
    autoSyncEnabled: false,
    systems: keys.map((system) => ({
      ...{
        system,
        connected: !missing.includes(system),
        problem: null,
        waitsUntil: null,
        lastSync: null,
        running: false,
      },
    })),
    ...fields,
  };
}

const device = {
  ...{ id: 7, type: 'vending_machine', name: 'Lobby', address: '1 Main St', city: 'Trenton', state: 'NJ' },
  ...{ latitude: '40.21710000', longitude: '-74.74290000', routeDesignation: null, status: 'maintenance' },
  ...{ integrationId: 'nayax:7', integrationSource: 'nayax', serialNumber: 'SN7', lastSync: null },
  ...{ lastUpdated: null, updatedAt: '2026-03-12T15:00:00.000Z' },
};
const list = '/api/integration/sync/devices';

let replies: Replies;
let sent: Sent[];
beforeEach(() => {
  replies = {
    'GET /api/integration/sync/status': statusOf([]),
    'GET /api/integration/sync/runs': [],
    [`GET ${list}?type=all`]: { rows: [device], total: 1, next: null, previous: null },
    [`GET ${list}?type=vending_machine`]: { rows: [device], total: 1, next: null, previous: null },
    [`GET ${list}?type=market`]: { rows: [], total: 0, next: null, previous: null },
  };
  sent = stubServer(() => replies);
});
afterEach(closeScreen);

const button = (name: string) => screen.findByRole('button', { name });
const isDisabled = async (name: string) => ((await button(name)) as HTMLButtonElement).disabled;

test('all connected: badge, counters and both buttons; machines with their source and a status that is not green', async () => {
  show(<SyncCenterScreen />);
  expect(await screen.findByText('All Systems Connected')).toBeDefined();
  expect(screen.getByText('Connected Systems').nextSibling?.textContent).toBe('5 of 5');
  expect(screen.getByText('Total Devices').nextSibling?.textContent).toBe('1,234');
  expect(await isDisabled('Manual Sync')).toBe(false);
  const row = (await screen.findByText('Lobby')).closest('tr') as HTMLElement;
  expect(within(row).getByText('Nayax Core')).toBeDefined();
  // In its column, and below the name on a phone.
  expect(within(row).getAllByText('40.2171, -74.7429')).toHaveLength(2);
  expect(within(row).getByText('Maintenance')).toBeDefined();
});

test('a place whose integration id a person typed is told as that', async () => {
  const typed = { ...device, integrationId: 'STORE-7', integrationSource: null };
  replies[`GET ${list}?type=all`] = { rows: [typed], total: 1, next: null, previous: null };
  show(<SyncCenterScreen />);
  const row = (await screen.findByText('Lobby')).closest('tr') as HTMLElement;
  expect(within(row).getByText('Entered by hand')).toBeDefined();
});

test('a system that does not answer is not marked as in order beside what is wrong with it', async () => {
  const { systems, ...status } = statusOf([]);
  const problem = 'NAMA VDI does not answer. It is tried again by itself.';
  replies['GET /api/integration/sync/status'] = {
    ...status,
    systems: systems.map((one) => (one.system === 'nama_vdi' ? { ...one, problem } : one)),
  };
  show(<SyncCenterScreen />);
  const line = (await screen.findByText(problem)).closest('li') as HTMLElement;
  expect(within(line).queryByText('Connected')).toBeNull();
  expect(within(line).getByText('Connected, failing')).toBeDefined();
  expect(screen.getAllByText('Connected')).toHaveLength(4);
});

test('what is missing is named, and nothing can be started', async () => {
  replies['GET /api/integration/sync/status'] = statusOf(['moma', 'nama_vdi'], { lastSync: null });
  show(<SyncCenterScreen />);
  expect(await screen.findByText('Missing Connections')).toBeDefined();
  expect(screen.getByRole('note').textContent).toContain('Missing connections: MoMa 2.0, NAMA VDI 2.0');
  expect(screen.getByText('Connect all systems to enable automatic sync.')).toBeDefined();
  expect(screen.getByText('Last Sync', { selector: 'dt' }).nextSibling?.textContent).toBe('Never');
  expect([await isDisabled('Manual Sync'), await isDisabled('Auto-Sync')]).toEqual([true, true]);
});

test('while it runs the button says so and the other waits; then it tells what was written', async () => {
  let end: (reply: Response) => void = () => {};
  replies['POST /api/integration/sync/trigger'] = () => new Promise<Response>((resolve) => (end = resolve));
  show(<SyncCenterScreen />);
  await waitFor(async () => expect(await isDisabled('Manual Sync')).toBe(false));
  await user.click(await button('Manual Sync'));
  expect([await isDisabled('Syncing...'), await isDisabled('Auto-Sync')]).toEqual([true, true]);
  expect((await button('Syncing...')).querySelector('[data-spinner]')).not.toBeNull();
  expect((await button('Syncing...')).getAttribute('aria-busy')).toBe('true');
  const failures = [
    { system: 'moma', message: 'MoMa is down.' },
    { system: 'nama_vdi', message: 'NAMA VDI 2.0 has trouble.' },
  ];
  end(Response.json({ success: false, devicesAdded: 3, devicesUpdated: 4, failures, stopped: ['nayax'], busy: [] }));
  await expect
    .poll(message)
    .toBe(
      'Sync Completed: Added 3 devices, updated 4 devices. MoMa 2.0: MoMa is down. NAMA VDI 2.0 has trouble. Nayax Core was stopped by somebody: what was read until then stays.',
    );
  expect(await isDisabled('Manual Sync')).toBe(false);
});

test.each([
  [
    ['cantaloupe'],
    'Sync Goes On: Added 2 devices, updated 1 devices. Cantaloupe was being read already: what it brings is not counted here.',
  ],
  [
    ['cantaloupe', 'moma'],
    'Sync Goes On: Added 2 devices, updated 1 devices. Cantaloupe and MoMa 2.0 were being read already: what they bring is not counted here.',
  ],
])('a sync beside one that goes on, of %j, is not told as completed', async (busy, told) => {
  const reply = { success: true, devicesAdded: 2, devicesUpdated: 1, failures: [], stopped: [], busy };
  replies['POST /api/integration/sync/trigger'] = reply;
  show(<SyncCenterScreen />);
  await waitFor(async () => expect(await isDisabled('Manual Sync')).toBe(false));
  await user.click(await button('Manual Sync'));
  await expect.poll(message).toBe(told);
});

test('a sync that somebody stopped is not told as completed', async () => {
  const stopped = { success: false, devicesAdded: 1, devicesUpdated: 0, failures: [], stopped: ['moma'], busy: [] };
  replies['POST /api/integration/sync/trigger'] = stopped;
  show(<SyncCenterScreen />);
  await waitFor(async () => expect(await isDisabled('Manual Sync')).toBe(false));
  await user.click(await button('Manual Sync'));
  const rest = 'MoMa 2.0 was stopped by somebody: what was read until then stays.';
  await expect.poll(message).toBe(`Sync Stopped: Added 1 devices, updated 0 devices. ${rest}`);
});

test('a refused sync says why; Auto-Sync says that it began', async () => {
  replies['POST /api/integration/sync/trigger'] = refusal(409, 'Connect all systems first.');
  replies['POST /api/integration/sync/auto-trigger'] = { queued: 5, autoSyncEnabled: true };
  show(<SyncCenterScreen />);
  await waitFor(async () => expect(await isDisabled('Manual Sync')).toBe(false));
  await user.click(await button('Manual Sync'));
  await expect.poll(message).toBe('Sync Failed: Connect all systems first.');
  await waitFor(async () => expect(await isDisabled('Auto-Sync')).toBe(false));
  await user.click(await button('Auto-Sync'));
  await expect.poll(message).toContain('Auto-Sync Triggered: Automatic synchronization has been initiated');
});

const runOf = (id: number, fields: object = {}) => ({
  ...{ id, status: 'succeeded', recordsProcessed: 100, errorCount: 0, held: 0, startedAt: '2026-03-12T10:38:00.000Z' },
  ...fields,
});
const lastRuns = 'GET /api/integration/sync/runs';
const noRuns = keys.map((system) => ({ system, runs: [] as object[] }));

test('the last runs of a system are bars: one that failed is hollow, one with warnings has a peak, each tells its time and result', async () => {
  const bad = runOf(2, { status: 'failed', recordsProcessed: 0, errorCount: 1 });
  const runs = [runOf(1, { recordsProcessed: 400 }), bad, runOf(3, { held: 3, errorCount: 2 }), runOf(4)];
  replies[lastRuns] = [{ system: 'nayax', runs }, ...noRuns.filter(({ system }) => system !== 'nayax')];
  show(<SyncCenterScreen />);
  const name = 'Nayax Core, Last 4 runs: 1 failed, 1 with warnings';
  const bars = [...(await button(name)).querySelectorAll('[data-run]')];
  expect(bars.map((bar) => bar.querySelector('title')?.textContent)).toEqual([
    'Mar 12, 2026, 10:38 AM: Done, 400 records',
    // What it failed of is counted among its errors, and is no record that was left out.
    'Mar 12, 2026, 10:38 AM: Failed, 0 records',
    'Mar 12, 2026, 10:38 AM: Done, 100 records, 2 not read, 3 held back',
    'Mar 12, 2026, 10:38 AM: Done, 100 records',
  ]);
  const shapes = bars.map((bar) => bar.lastElementChild?.getAttribute('class'));
  expect(shapes).toEqual(['fill-previous', 'fill-none stroke-bad', 'fill-warn', 'fill-previous']);
  // A quarter of the records is half as high.
  expect([bars[0], bars[3]].map((bar) => bar?.lastElementChild?.getAttribute('height'))).toEqual(['20', '10']);
  expect(screen.getAllByText('No runs yet')).toHaveLength(4);
});

test('a pressed bar opens the runs of its system in words, with its run marked', async () => {
  replies[lastRuns] = [{ system: 'moma', runs: [runOf(8), runOf(9)] }];
  const counts = { processed: 100, booked: 0, added: 0, held: 0 };
  const told = {
    ...{ system: 'moma', cause: 'timetable', durationMs: 900, progress: null, isStopping: false },
    counts,
  };
  const dated = { createdAt: '2026-03-12T10:37:00.000Z', startedAt: null, errorCount: 0 };
  replies['GET /api/integrations/runs?limit=24&system=moma'] = {
    ...{ total: 2, next: null, previous: null, from: 1 },
    rows: [
      { ...told, ...dated, id: 9, status: 'succeeded', message: null },
      { ...told, ...dated, id: 8, status: 'failed', errorCount: 1, message: 'The key was refused.' },
    ],
  };
  show(<SyncCenterScreen />);
  const strip = await button('MoMa 2.0, Last 2 runs: none failed');
  await user.click(strip.querySelector('[data-run="8"]') as Element);
  const dialog = within(await screen.findByRole('dialog', { name: 'Runs of MoMa 2.0' }));
  const rows = await dialog.findAllByRole('listitem');
  expect(rows.map((row) => row.getAttribute('aria-current'))).toEqual([null, 'true']);
  expect(rows[1]?.textContent).toContain('100 records in 900 ms, The key was refused.');
});

test('the tabs ask for their kind; an empty one says what to do', async () => {
  show(<SyncCenterScreen />);
  await user.click(await screen.findByRole('tab', { name: 'Vending Machines' }));
  expect(await screen.findByText('SN7')).toBeDefined();
  expect(screen.getByText('Unassigned')).toBeDefined();
  await user.click(screen.getByRole('tab', { name: 'Micro Markets' }));
  expect(await screen.findByText('No synchronized devices found')).toBeDefined();
  expect(screen.getByText('No market is tied to a connected system yet.')).toBeDefined();
  expect(sent.map(({ line }) => line)).toContain(`GET ${list}?type=market`);
});

test('before any system is connected, an empty list says to connect one', async () => {
  replies['GET /api/integration/sync/status'] = statusOf(keys, { totalDevices: 0 });
  replies[`GET ${list}?type=all`] = { rows: [], total: 0, next: null, previous: null };
  show(<SyncCenterScreen />);
  expect(await screen.findByText('Connect to integration systems to see devices')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Choose a system' })).toBeDefined();
});

test('a status that does not load is said, and tried again', async () => {
  replies['GET /api/integration/sync/status'] = refusal(503, 'The database does not answer.');
  show(<SyncCenterScreen />);
  expect(await screen.findByText('The database does not answer.')).toBeDefined();
  replies['GET /api/integration/sync/status'] = statusOf([]);
  await user.click(await button('Try again'));
  expect(await screen.findByText('All Systems Connected')).toBeDefined();
});

test('who only works in the field cannot start anything', async () => {
  show(<SyncCenterScreen />, 'field_worker');
  expect(await screen.findByText('All Systems Connected')).toBeDefined();
  expect(await isDisabled('Manual Sync')).toBe(true);
});
