import { expect, it } from 'vitest';
import type { VendorContext } from '../connector.ts';
import { hash } from '../testing/hash.ts';
import { pull } from './pull.ts';

const contextOf = (rows: unknown): VendorContext => ({
  settings: { apiKey: 'operator', apiSecret: 'secret', environment: 'sandbox', timeZone: 'America/New_York' },
  fetch: async () => ({
    status: 200,
    header: () => null,
    bytes: new Uint8Array(),
    text: () => JSON.stringify(rows),
    json: () => rows,
  }),
  now: () => new Date('2026-11-21T18:00:00Z'),
  hash,
  tokens: { read: async () => null, renew: (work) => work(null, async () => {}) },
  timeZone: 'Europe/Berlin',
  sandboxUrl: 'http://sandbox',
  signal: new AbortController().signal,
});

it.each([
  ['2026-11-21T07:05:09.000Z', '2026-11-21T07:05:09.000Z'],
  ['11/21/2026 02:05:09 AM', '2026-11-21T07:05:09.000Z'],
  ['07/21/2026 14:05', '2026-07-21T18:05:00.000Z'],
  ['2026-02-30T07:05:09Z', null],
  ['02/30/2026 02:05 AM', null],
  ['never', null],
  ['', null],
])('a device last seen %j was so at %j: the times of reports are of the devices’ zone', async (told, seen) => {
  const rows = { data: [{ Device: 'VK1', 'Last Seen': told }], nextPage: null };
  const { batch } = await pull('devices', { cursor: null, since: null }, contextOf(rows));
  expect((await batch).devices?.map(({ lastSeenAt }) => lastSeenAt?.toISOString() ?? null)).toEqual([seen]);
});
