import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { fleetOf, salesOf, sellNow } from './fleet.ts';
import { type Sandbox, startSandbox } from './server.ts';
import type { Vendor } from './vendor.ts';
import { vendorsBesideEachOther } from './vendors.ts';

const acme: Vendor = {
  prefix: 'acme',
  plays: ['short_page'],
  answer: ({ path }, world) => {
    if (path === '/count') {
      const count = Number(world.state.get('count') ?? 0) + 1;
      world.state.set('count', count);
      return { status: 200, body: JSON.stringify({ count }) };
    }
    const items = world.fault(path)?.kind === 'short_page' ? [1] : [1, 2, 3, 4];
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ items }) };
  },
  push: async (world, wish) => {
    if (wish) await world.deliver({ url: `${world.origin}/acme/hook`, headers: {}, body: wish.variant });
  },
};

let sandbox: Sandbox;
const control = (method: string, path: string, body?: unknown) =>
  fetch(`${sandbox.origin}/control${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
const queue = (kind: string, parameters = {}, times = 1) =>
  control('POST', '/faults', { system: 'acme', call: 'GET /list', kind, times, parameters });
const list = () => fetch(`${sandbox.origin}/acme/list?page=1`);

beforeAll(async () => {
  sandbox = await startSandbox({ vendors: [acme], tickMs: null });
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.sphere.reset());

it.each([
  ['unauthorised', 401],
  ['forbidden', 403],
  ['server_error', 503],
])('the fault %s answers %i once, and then all is well', async (kind, status) => {
  await queue(kind);
  expect([(await list()).status, (await list()).status]).toEqual([status, 200]);
});

it('a limit is told in seconds, as a date by the clock of the sandbox, or not at all', async () => {
  await control('PUT', '/clock', { now: '2026-03-12T15:00:00Z', frozen: true });
  await queue('rate_limited', { seconds: 7 });
  await queue('rate_limited', { seconds: 60, as: 'date' });
  await queue('rate_limited', { as: 'none' });
  const told = [await list(), await list(), await list()].map(({ headers }) => headers.get('retry-after'));
  expect(told).toEqual(['7', 'Thu, 12 Mar 2026 15:01:00 GMT', null]);
});

it('a connection hangs or is cut in the middle of the body', async () => {
  await queue('hang', { ms: 30 });
  await expect(list()).rejects.toThrow();
  await queue('cut');
  await expect(list().then((reply) => reply.text())).rejects.toThrow();
});

it('pages come broken, empty, or as before', async () => {
  await queue('malformed');
  await expect(list().then((reply) => reply.json())).rejects.toThrow();
  await queue('malformed', { as: 'html' });
  expect((await list()).headers.get('content-type')).toContain('text/html');
  await queue('empty_page');
  expect(await (await list()).json()).toEqual({ items: [] });
  const count = () => fetch(`${sandbox.origin}/acme/count`).then((reply) => reply.json());
  expect(await count()).toEqual({ count: 1 });
  await control('POST', '/faults', { system: 'acme', call: 'GET /count', kind: 'repeat_page' });
  expect([await count(), await count()]).toEqual([{ count: 1 }, { count: 3 }]);
});

it('a vendor keeps kinds for itself, and a fault for another call waits', async () => {
  await control('POST', '/faults', { system: 'acme', call: '/list', kind: 'short_page' });
  await control('POST', '/faults', { system: 'acme', call: '/other*', kind: 'server_error' });
  expect(await (await list()).json()).toEqual({ items: [1] });
  expect((await list()).status).toBe(200);
  expect((await (await control('GET', '/faults')).json()).waiting).toHaveLength(1);
});

it('the journal holds what came in and what was sent, and a reset empties everything', async () => {
  await queue('server_error');
  await list();
  await fetch(`${sandbox.origin}/acme/count`);
  await control('POST', '/push', { system: 'acme', kind: 'sale', variant: 'tampered' });
  const { entries } = await (await control('GET', '/journal?system=acme')).json();
  expect(
    entries.map(({ direction, path, status, fault, body }: Record<string, unknown>) => [
      direction,
      path,
      status,
      fault,
      body,
    ]),
  ).toEqual([
    ['in', '/list', 503, 'server_error', ''],
    ['in', '/count', 200, null, ''],
    ['in', '/hook', 200, null, 'tampered'],
    ['out', `${sandbox.origin}/acme/hook`, 200, null, 'tampered'],
  ]);
  await control('POST', '/reset');
  expect(await (await fetch(`${sandbox.origin}/acme/count`)).json()).toEqual({ count: 1 });
  expect((await (await control('GET', '/journal')).json()).entries).toHaveLength(1);
});

it('the control surface answers no page of another site and no other name', async () => {
  const foreign = await fetch(`${sandbox.origin}/control/journal`, { headers: { origin: 'https://evil.example' } });
  expect(foreign.status).toBe(403);
});

it('what is sold now is seen once, beside what follows from the seed', async () => {
  const at = new Date('2026-03-12T15:00:00Z');
  await control('PUT', '/clock', { now: at.toISOString(), frozen: true });
  const fleet = sandbox.sphere.fleet();
  const [place] = fleet.machines;
  if (!place) throw new Error('the fleet has no machine');
  const span = [new Date('2026-03-12T12:00:00Z'), new Date('2026-03-12T16:00:00Z')] as const;
  const before = salesOf(fleet, place, ...span);
  await control('POST', '/sales', { count: 3, number: place.number });
  const after = salesOf(fleet, place, ...span);
  expect(after).toHaveLength(before.length + 3);
  expect(new Set(after.map(({ number }) => number)).size).toBe(after.length);
});

it('the fleet is planned for whoever asks, not to sell in it unseen', async () => {
  const own = await startSandbox({ vendors: vendorsBesideEachOther, livePerMinute: 60_000, tickMs: 1 });
  // An answer comes after many ticks' time, and a round of deliveries looks at every system.
  await Promise.all(Array.from({ length: 20 }, () => fetch(`${own.origin}/`)));
  await own.push(null, null);
  expect(own.sphere.isPlanned()).toBe(false);
  const { extra } = own.sphere.fleet();
  await expect.poll(() => extra.length, { interval: 5 }).toBeGreaterThan(1);
  await own.close();
});

it('lines of a place that were let go are made again as they were', () => {
  const { machines } = fleetOf('L', 7);
  const [place] = machines;
  const before = place?.lines;
  for (const { lines, hasLines } of machines) expect(lines.length > 0).toBe(hasLines);
  expect(place?.lines).not.toBe(before);
  expect(place?.lines).toEqual(before);
});

it('a sandbox that begins anew uses no number of the day again', () => {
  const numbers = (at: string, count: number): number[] => {
    const fleet = fleetOf('S', 7);
    return sellNow(fleet, fleet.machines, count, new Date(at)).map(({ number }) => number);
  };
  const before = numbers('2026-11-02T15:00:00Z', 150);
  const after = numbers('2026-11-02T15:00:10Z', 150);
  expect(new Set([...before, ...after]).size).toBe(300);
  expect(numbers('2026-11-02T15:00:00Z', 150)).toEqual(before);
});

it('the first page tells which vendors there are', async () => {
  expect(await (await fetch(`${sandbox.origin}/`)).text()).toContain('<h2>acme</h2>');
  expect((await fetch(`${sandbox.origin}/nobody/list`)).status).toBe(404);
});
