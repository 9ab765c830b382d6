// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '../../contract/auth.ts';
import { usualRules } from '../../domain/operator-rules.ts';
import type { Role } from '../../domain/permissions.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { SettingsScreen } from './settings-screen.tsx';

const user = userEvent.setup();
const operator = {
  name: 'Milk & Co',
  timeZone: 'America/New_York',
  currency: 'USD',
  distanceUnit: 'mi',
  isDemo: false,
  version: 1,
};
const depot = {
  version: 1,
  id: 3,
  name: 'North',
  address: '1 Yard',
  latitude: '40.7',
  longitude: '-74.0',
  isDefault: true,
};
const vehicle = { version: 1, id: 9, name: 'Van 1', licensePlate: 'AB 12', depotId: 3, capacityTotes: 40 };

const designations = [
  { name: '101', markets: 2, machines: 1, people: 1, isRetired: false },
  { name: '909', markets: 0, machines: 0, people: 0, isRetired: false },
];

type Sent = { method: string; path: string; body: unknown };
let sent: Sent[] = [];
let refusal: string | null = null;
let noRoom: string | null = null;
/** Why a test message does not go out. */
let notSent: string | null = null;
let isSetUp = true;
/** What somebody else changed of the company since. */
let theirs: object = {};
/** What somebody else changed of the depot and the vehicle since they were read; the next save is refused for it. */
let quicker: { depot: object; vehicle: object } | null = null;
let isRefused = false;
const sentence = 'This was changed by Ann in the meantime. Look at what changed, then save again.';

beforeEach(() => {
  sent = [];
  refusal = null;
  noRoom = null;
  notSent = null;
  isSetUp = true;
  theirs = {};
  quicker = null;
  isRefused = false;
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const { pathname: path } = new URL(input, 'http://localhost');
    const method = init.method ?? 'GET';
    if (method !== 'GET') sent.push({ method, path, body: init.body ? JSON.parse(String(init.body)) : undefined });
    if (refusal && method !== 'GET') return Response.json({ detail: refusal, status: 409 }, { status: 409 });
    if (quicker && method === 'PUT' && !isRefused) {
      isRefused = true;
      return Response.json({ detail: sentence, status: 409, fields: { version: sentence } }, { status: 409 });
    }
    if (path === '/api/export/room' && noRoom) return Response.json({ detail: noRoom, status: 507 }, { status: 507 });
    if (path.endsWith('/test-message')) return Response.json({ sentTo: 'a@example.com', problem: notSent, isSetUp });
    if (path.endsWith('/security')) return Response.json({ secondStepRequired: false, without: [] });
    return Response.json(
      path === '/api/settings'
        ? {
            operator: { ...operator, ...theirs },
            rules: usualRules,
            designations,
            depots: [{ ...depot, ...quicker?.depot }],
            vehicles: [{ ...vehicle, ...quicker?.vehicle }],
          }
        : {},
    );
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(role: Role = 'admin') {
  const person = { id: 1, email: 'a@example.com', firstName: 'A', lastName: 'B', role, routeDesignation: null };
  const session = { person, operator, map: { styleUrl: null } } as unknown as Session;
  const client = createQueryClient();
  render(
    <QueryClientProvider client={client}>
      <SessionContext value={session}>
        <SettingsScreen />
      </SessionContext>
    </QueryClientProvider>,
  );
  return client;
}

test('the company is changed after a warning that sums are made anew', async () => {
  open();
  await user.selectOptions(await screen.findByLabelText('Currency'), 'EUR');
  expect(screen.getByText(/Amounts are not converted/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save Settings' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  const { isDemo: _, version: __, ...saved } = operator;
  expect(sent[0]).toEqual({ method: 'PUT', path: '/api/settings/operator', body: { ...saved, currency: 'EUR' } });
});

test('what somebody else changes of the company takes nothing of what is being typed', async () => {
  const client = open();
  await user.type(await screen.findByLabelText('Company name'), ' Sons');
  theirs = { distanceUnit: 'km' };
  await client.invalidateQueries();
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Distances').value).toBe('km'));
  expect(screen.getByLabelText<HTMLInputElement>('Company name').value).toBe('Milk & Co Sons');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('who types where somebody else was quicker is told before saving, and may take theirs', async () => {
  const client = open();
  const name = await screen.findByLabelText<HTMLInputElement>('Company name');
  await user.type(name, ' Sons');
  theirs = { name: 'Milk Brothers', version: 2 };
  await client.invalidateQueries();
  const told = await screen.findByRole('alert');
  expect(told.textContent).toContain("'Milk & Co' is now 'Milk Brothers'. Yours is kept: 'Milk & Co Sons'.");
  await user.click(within(told).getByRole('button', { name: 'Take theirs' }));
  expect(name.value).toBe('Milk Brothers');
  expect(screen.queryByRole('alert')).toBeNull();
  theirs = { name: 'Milk Sisters', version: 3 };
  await client.invalidateQueries();
  await waitFor(() => expect(name.value).toBe('Milk Sisters'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('who edits a depot or a vehicle that somebody else changed keeps the text, is shown theirs, and saves on top', async () => {
  open();
  await user.click(await screen.findByRole('button', { name: 'Edit North' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText(/^Name/), ' Yard');
  quicker = { depot: { name: 'Northern', address: '2 Yard', isDefault: false, version: 2 }, vehicle: {} };
  const save = () => user.click(dialog.getByRole('button', { name: 'Save Depot' }));
  await save();
  expect((await dialog.findByRole('alert')).textContent).toContain(sentence);
  expect(dialog.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('North Yard');
  expect(dialog.getByLabelText<HTMLInputElement>(/^Address/).value).toBe('2 Yard');
  expect(dialog.getByLabelText<HTMLInputElement>(/^Routes start here/).checked).toBe(false);
  await save();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.at(-1)?.body).toMatchObject({ name: 'North Yard', address: '2 Yard', isDefault: false });

  isRefused = false;
  await user.click(await screen.findByRole('button', { name: 'Edit Van 1' }));
  const van = within(await screen.findByRole('dialog'));
  await user.type(van.getByLabelText('License plate'), ' C');
  quicker = { depot: {}, vehicle: { capacityTotes: 50, version: 2 } };
  await user.click(van.getByRole('button', { name: 'Save Vehicle' }));
  expect((await van.findByRole('alert')).textContent).toContain('Capacity');
  await user.click(van.getByRole('button', { name: 'Save Vehicle' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.at(-1)?.body).toMatchObject({ licensePlate: 'AB 12 C', capacityTotes: 50 });
});

test('who saves again because the answer was lost is told that it is saved, not that somebody was quicker', async () => {
  open();
  await user.click(await screen.findByRole('button', { name: 'Edit Van 1' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText('License plate'), ' C');
  quicker = { depot: {}, vehicle: { licensePlate: 'AB 12 C', version: 2 } };
  await user.click(dialog.getByRole('button', { name: 'Save Vehicle' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('What you typed is saved already.');
  await user.click(dialog.getByRole('button', { name: 'Save Vehicle' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a vehicle is added with its capacity; half a tote is refused before it is sent', async () => {
  open();
  await user.click(await screen.findByRole('button', { name: 'Add Vehicle' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Name'), 'Van 2');
  const capacity = within(dialog).getByLabelText('Capacity, totes');
  await user.type(capacity, '1.5');
  await user.click(within(dialog).getByRole('button', { name: 'Add Vehicle' }));
  expect(await within(dialog).findByText('Enter a whole number of totes')).toBeTruthy();
  await user.clear(capacity);
  await user.type(capacity, '30');
  await user.selectOptions(within(dialog).getByLabelText('Starts from'), 'North');
  await user.click(within(dialog).getByRole('button', { name: 'Add Vehicle' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({ name: 'Van 2', licensePlate: '', depotId: 3, capacityTotes: 30 });
});

test('deleting names the depot, and a refusal says why', async () => {
  refusal = 'Vehicles start from this depot. Give them another one first.';
  open();
  await user.click(await screen.findByRole('button', { name: 'Delete North' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText('Delete North?')).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(toastStore.get()[0]?.description).toBe(refusal));
});

test('a manager reads the company and changes vehicles; only an administrator deletes and carries everything away', async () => {
  open('route_manager');
  expect(await screen.findAllByText('An administrator can change this.')).toHaveLength(2);
  expect(screen.getByRole('button', { name: 'Edit Van 1' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Delete Van 1' })).toBeNull();
  expect(screen.queryByText('Export everything')).toBeNull();
});

test('everything is exported as a download once there is room for it; before, what to do is said', async () => {
  const downloads: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    downloads.push(new URL(this.href).pathname);
  });
  noRoom = 'There is too little room for an archive. Make room there, then try again.';
  open();
  await user.click(await screen.findByRole('button', { name: 'Export everything' }));
  expect((await screen.findByRole('alert')).textContent).toBe(noRoom);
  expect(downloads).toEqual([]);
  noRoom = null;
  await user.click(screen.getByRole('button', { name: 'Export everything' }));
  expect((await screen.findByRole('status')).textContent).toContain('The browser shows the download');
  expect(downloads).toEqual(['/api/export/everything']);
  expect(screen.queryByRole('alert')).toBeNull();
  click.mockRestore();
});

test('thresholds are checked as they are typed and saved as numbers', async () => {
  open();
  const late = await screen.findByLabelText('A stop is late after');
  await user.clear(late);
  await user.type(late, '0');
  await user.click(screen.getByRole('button', { name: 'Save Thresholds' }));
  expect(await screen.findByText('Late after minutes: a whole number from 1 to 240')).toBeTruthy();
  expect(sent).toEqual([]);
  await user.clear(late);
  await user.type(late, '20');
  const low = screen.getByLabelText('A slot is low below');
  await user.clear(low);
  await user.click(screen.getByRole('button', { name: 'Save Thresholds' }));
  expect(await screen.findByText('Low slot below percent: a whole number from 0 to 99')).toBeTruthy();
  expect(sent).toEqual([]);
  await user.type(low, '0');
  await user.click(screen.getByRole('button', { name: 'Save Thresholds' }));
  await waitFor(() =>
    expect(sent).toMatchObject([
      { path: '/api/settings/rules', body: { lateAfterMin: 20, lowSlotPercent: 0, workStart: '06:00' } },
    ]),
  );
});

test('route designations are listed by what carries them, added, renamed and retired', async () => {
  open();
  const list = await screen.findByRole('list', { name: 'Route designations' });
  expect(within(list).getByText('2 markets, 1 machine, 1 person')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Rename 101' }));
  const name = screen.getByLabelText(/^Name/);
  await user.clear(name);
  await user.type(name, '111');
  await user.click(screen.getByRole('button', { name: 'Rename' }));
  await user.click(await screen.findByRole('button', { name: 'Retire 909' }));
  await waitFor(() =>
    expect(sent).toEqual([
      { method: 'POST', path: '/api/settings/designations/rename', body: { from: '101', to: '111' } },
      { method: 'POST', path: '/api/settings/designations/retire', body: { name: '909', retired: true } },
    ]),
  );
  refusal = 'There is a route designation 101 already.';
  await user.click(screen.getByRole('button', { name: 'Add Designation' }));
  // Typing begins at the name, as in every form that was opened to be filled in.
  expect(document.activeElement).toBe(screen.getByLabelText(/^Name/));
  await user.keyboard('101');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add Designation' }));
  expect(await screen.findByText(refusal)).toBeTruthy();
});

test('a test message says where it went, or what the mail server said; a manager sends none', async () => {
  open();
  await user.click(await screen.findByRole('button', { name: 'Send a test e-mail' }));
  expect((await screen.findByText(/^Sent to a@example.com/)).role).toBe('status');
  expect(sent).toEqual([{ method: 'POST', path: '/api/settings/test-message', body: { channel: 'email' } }]);
  notSent = 'The text message did not go out: the gateway did not take it (gateway answered 400).';
  await user.click(screen.getByRole('button', { name: 'Send a test text message' }));
  expect((await screen.findByRole('alert')).textContent).toBe(notSent);
  expect(screen.queryByText(/^Sent to/)).toBeNull();
  notSent = 'Text messages are not set up here: SMS_GATEWAY_URL is not set.';
  isSetUp = false;
  await user.click(screen.getByRole('button', { name: 'Send a test text message' }));
  expect((await screen.findByText(notSent)).role).toBe('status');
  expect(screen.queryByRole('alert')).toBeNull();
  cleanup();
  open('route_manager');
  await screen.findByText('Vehicles');
  expect(screen.queryByText('Messages')).toBeNull();
});
