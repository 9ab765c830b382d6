// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { Answer } from '../offline/environment.ts';
import { rememberSession } from '../offline/session.ts';
import { buildSession } from '../offline/testing/fake-phone.ts';
import { buildChanges, buildItem, buildMachine, buildMarket, buildSlot } from '../offline/testing/sample-changes.ts';
import { Phone, stopPhones } from './testing/field-phone.tsx';

const changes = buildChanges({
  reset: true,
  markets: [buildMarket({ id: 2, name: 'South Hall' })],
  machines: [buildMachine()],
  items: [buildItem({ marketId: 2, currentQuantity: 0 })],
});

/** The machines come first, and with them a part of the markets' stock. */
const firstPage = buildChanges({ ...changes, markets: [], cursor: 'page-1', more: true });
const lastPage = buildChanges({
  markets: changes.markets,
  items: [buildItem({ id: 2, marketId: 2, currentQuantity: 0 })],
});

afterEach(stopPhones);

const lowFigure = () => screen.getByText('Low stock at markets').previousSibling?.textContent;

async function phoneOfTwoPages(laterPage: () => Promise<Answer>): Promise<Phone> {
  const phone = new Phone(firstPage);
  await rememberSession(phone.offline, buildSession(1));
  phone.laterPage = laterPage;
  await phone.open();
  return phone;
}

test('before the first download no figure of the day is claimed', async () => {
  const phone = new Phone(changes);
  await rememberSession(phone.offline, buildSession(1));
  phone.goOffline();
  await phone.open();
  await screen.findByText('Your locations are not on this device yet', { exact: false });
  const progress = screen.getByRole('region', { name: "Today's progress" });
  expect([...progress.querySelectorAll('dd')].map((one) => one.textContent)).toEqual([
    '–',
    'Sam Number 1',
    '–',
    '–',
    '–',
  ]);
  expect(screen.getByText('Low stock at markets').previousSibling?.textContent).toBe('–');
});

test('a first download that fails says so and offers to try again, instead of an empty route', async () => {
  const phone = new Phone(changes);
  await rememberSession(phone.offline, buildSession(1));
  phone.goOffline();
  await phone.open();
  expect((await screen.findByRole('alert')).textContent).toContain('Your locations are not on this device yet');
  phone.isOnline = true;
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: /South Hall/ })).toBeDefined();
});

test('the office has no route of its own: it is not sent to a manager for one', async () => {
  const open = async (kept: typeof changes) => {
    const phone = new Phone(kept);
    const session = buildSession(1);
    await rememberSession(phone.offline, { ...session, person: { ...session.person, role: 'admin' } });
    await phone.open();
  };
  await open(buildChanges({ reset: true }));
  expect(await screen.findByText(/^There are no locations yet/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Open Markets' }).getAttribute('href')).toBe('/markets');
  await open(buildChanges({ reset: true, machines: changes.machines }));
  fireEvent.click(await screen.findByRole('tab', { name: 'Markets' }));
  expect(await screen.findByText('No markets yet. Machines are under Vending.')).toBeDefined();
});

test('half a download is neither a figure nor an empty route, and the list says that more comes', async () => {
  let send: (answer: Answer) => void = () => undefined;
  const later = new Promise<Answer>((resolve) => {
    send = resolve;
  });
  await phoneOfTwoPages(() => later);
  // The machines of the first page are there: the list can be used while the rest comes.
  await userEvent.click(screen.getByRole('tab', { name: 'Vending' }));
  await screen.findByRole('button', { name: /Snack machine/ });
  expect(screen.getByText('Locations are being downloaded. The list is not whole yet.')).toBeDefined();
  await userEvent.click(screen.getByRole('tab', { name: 'Markets' }));
  expect(screen.getByRole('list', { name: 'Loading locations' })).toBeDefined();
  expect(screen.queryByText(/No markets/)).toBeNull();
  expect(lowFigure()).toBe('–');

  send({ outcome: 'answered', body: lastPage });
  await screen.findByRole('button', { name: /South Hall/ });
  await waitFor(() => expect(lowFigure()).toBe('2'));
  expect(screen.queryByText(/being downloaded/)).toBeNull();
});

test('a download that breaks off keeps what came, says that it is not all, and goes on when asked to', async () => {
  const phone = await phoneOfTwoPages(async () => ({ outcome: 'unreachable' }));
  await screen.findByText(/^Not all of your locations are on this device yet/);
  expect(screen.queryByText(/No markets/)).toBeNull();
  await userEvent.click(screen.getByRole('tab', { name: 'Vending' }));
  expect(screen.getByRole('button', { name: /Snack machine/ })).toBeDefined();
  expect(lowFigure()).toBe('–');

  phone.laterPage = async () => ({ outcome: 'answered', body: lastPage });
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await userEvent.click(screen.getByRole('tab', { name: 'Markets' }));
  expect(await screen.findByRole('button', { name: /South Hall/ })).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a location opened by its link while its name is still to come says that it is being downloaded', async () => {
  let send: (answer: Answer) => void = () => undefined;
  const later = new Promise<Answer>((resolve) => {
    send = resolve;
  });
  const phone = new Phone(firstPage);
  await rememberSession(phone.offline, buildSession(1));
  phone.laterPage = () => later;
  await phone.open('?type=market&id=2');
  expect(await screen.findByText('Downloading, not whole yet')).toBeDefined();
  expect(await screen.findByRole('heading', { name: 'Location' })).toBeDefined();
  send({ outcome: 'answered', body: lastPage });
  expect(await screen.findByRole('heading', { name: 'South Hall' })).toBeDefined();
  expect(await screen.findByText('2 empty, 0 low of 2')).toBeDefined();
});

test('the figure of low items says that it is of markets: a machine tells of its own slots', async () => {
  const slots = [1, 2].map((id) => buildSlot({ id, currentQuantity: 2, minimumQuantity: 3 }));
  const phone = new Phone(buildChanges({ reset: true, machines: [buildMachine()], slots }));
  await rememberSession(phone.offline, buildSession(1));
  await phone.offline.refresh();
  await phone.open(`?type=vending_machine&id=${buildMachine().id}`);
  expect(await screen.findByText('0 empty, 2 low of 2')).toBeDefined();
  await waitFor(() => expect(lowFigure()).toBe('0'));
});

test('a location that holds nothing counts nothing', async () => {
  const phone = new Phone(buildChanges({ reset: true, machines: [buildMachine()] }));
  await rememberSession(phone.offline, buildSession(1));
  await phone.offline.refresh();
  await phone.open(`?type=vending_machine&id=${buildMachine().id}`);
  expect(await screen.findByText('No inventory data available')).toBeDefined();
  expect(screen.queryByText(/empty, /)).toBeNull();
});
