import { z } from 'zod';
import { isDay } from '../../domain/calendar-day.ts';
import type { VendorBatch, VendorDevice, VendorResource } from '../../domain/integration.ts';
import { type PullPage, type PullRequest, type VendorContext, VendorError, type VendorReply } from '../connector.ts';
import { instantsOf, readLocalTime, zoneClock, zoneOf } from './local-time.ts';
import { batchOf } from './map.ts';
import { readRow, type Told } from './told.ts';
import { base64 } from './webhook.ts';

/**
 * Our own small pull API, not published by the vendor: devices and transactions with the column names of the reports,
 * behind the same Basic authentication as the transport. The sandbox serves it; in production there is no address until a
 * partner contract gives one, and what was received by reports is all there is.
 */

const pageSize = 500;
const page = z.object({
  data: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))),
  // A page may be short without being the last: only this says whether another follows.
  nextPage: z.number().int().positive().nullable(),
});
type Row = z.infer<typeof page>['data'][number];

/** Where a walk stands. `page` null: it is through, and the next one begins at `to`. */
const walk = z.object({ from: z.string().nullable(), to: z.string(), page: z.number().int().positive().nullable() });
type Walk = z.infer<typeof walk>;

/** Asks the pull address for one device, where there is one to ask. Throws VendorError where it or the sign-in is refused. */
export async function testConnection(context: VendorContext): Promise<{ detail: string }> {
  const base = baseOf(context);
  if (base === null) {
    return {
      detail: 'Nothing is called in production: reports are received at the webhook address of this configuration.',
    };
  }
  await ask(`${base}/v1/devices?page=1&pageSize=1`, context);
  return { detail: 'The pull address answers, and the sign-in is accepted.' };
}

/** A page of devices or sales of the pull address; nothing in production, where reports come by themselves. Throws VendorError. */
export async function pull(resource: VendorResource, request: PullRequest, context: VendorContext): Promise<PullPage> {
  const base = baseOf(context);
  if (base === null) return { batch: {}, cursor: request.cursor, more: false };
  const at = walkOf(request, context.now());
  const query = new URLSearchParams({ page: String(at.page ?? 1), pageSize: String(pageSize) });
  if (resource === 'sales') {
    if (at.from !== null) query.set('from', at.from);
    query.set('to', at.to);
  }
  const path = resource === 'sales' ? 'transactions' : 'devices';
  const { data, nextPage } = await ask(`${base}/v1/${path}?${query}`, context);
  const batch = resource === 'sales' ? salesBatch(data, context) : devicesBatch(data, context);
  const isLast = nextPage === null || nextPage <= (at.page ?? 1);
  return { batch, cursor: { ...at, page: isLast ? null : nextPage } satisfies Walk, more: !isLast };
}

/** The page to ask for. A wish that reaches further back than the walk under way begins a new one. */
function walkOf({ cursor, since }: PullRequest, now: Date): Walk {
  const known = walk.safeParse(cursor).data ?? null;
  const from = since?.toISOString() ?? null;
  const isUnderWay = known !== null && known.page !== null;
  const reaches = known !== null && (known.from === null || (from !== null && known.from <= from));
  if (known && isUnderWay && (reaches || since === null)) return known;
  return { from: from ?? known?.to ?? null, to: now.toISOString(), page: 1 };
}

function baseOf({ settings, sandboxUrl }: VendorContext): string | null {
  if (sandboxUrl !== null && settings.environment !== 'production')
    return `${sandboxUrl.replace(/\/$/, '')}/cantaloupe`;
  const given = settings.environment === 'production' ? settings.apiEndpoint : null;
  return typeof given === 'string' && given !== '' ? given.replace(/\/$/, '') : null;
}

async function ask(url: string, { settings, fetch }: VendorContext): Promise<z.infer<typeof page>> {
  const authorization = `Basic ${base64(`${settings.apiKey ?? ''}:${settings.apiSecret ?? ''}`)}`;
  const reply = await fetch(url, { headers: { authorization, accept: 'application/json' } });
  refuse(reply);
  const read = page.safeParse(reply.json());
  if (read.success) return read.data;
  throw new VendorError(
    'cantaloupe',
    'bad-data',
    'Cantaloupe answered something else than a page of rows. Try again later.',
  );
}

function refuse({ status }: VendorReply): void {
  if (status === 200) return;
  if (status === 401) {
    throw new VendorError('cantaloupe', 'auth', 'Cantaloupe refused sign-in and password. Enter them again.');
  }
  if (status === 403) {
    throw new VendorError(
      'cantaloupe',
      'forbidden',
      'This sign-in may not read devices and transactions. Ask for the right.',
    );
  }
  throw new VendorError('cantaloupe', 'bad-data', `Cantaloupe answered with status ${status}. Check the pull address.`);
}

function salesBatch(data: readonly Row[], context: VendorContext): VendorBatch {
  const told: Told[] = [];
  const unreadable: { reason: string; raw: unknown }[] = [];
  for (const row of data) {
    const read = readRow('transactions', cellsOf(row));
    if (typeof read === 'string') unreadable.push({ reason: `A transaction ${read}.`, raw: row });
    else told.push(read);
  }
  // Devices have a resource of their own, which knows more of them than a transaction does.
  return { sales: batchOf(told, { timeZone: zoneOf(context), receivedAt: context.now() }).sales ?? [], unreadable };
}

function cellsOf(row: Row): (column: string) => string {
  const named = new Map(Object.entries(row).map(([name, value]) => [name.toLowerCase(), String(value ?? '').trim()]));
  return (column) => named.get(column) ?? '';
}

const statuses = ['active', 'online', 'offline', 'inactive', 'maintenance'] as const;

/** Times of the reports are the devices' own; with a zone they are read as they stand. */
function seenAt(text: string, clock: (at: number) => number): Date | null {
  const local = readLocalTime(text);
  if (local) return new Date(instantsOf(clock, local)[0] ?? Number.NaN);
  const at = isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : new Date(at);
}

function devicesBatch(data: readonly Row[], context: VendorContext): VendorBatch {
  const clock = zoneClock(zoneOf(context));
  const unreadable: { reason: string; raw: unknown }[] = [];
  const devices = data.flatMap((row): VendorDevice[] => {
    const cells = cellsOf(row);
    const device = cells('device');
    if (device === '' || device.length > 100) {
      unreadable.push({ reason: 'A device has no serial number.', raw: row });
      return [];
    }
    const text = (column: string): string | null => cells(column).slice(0, 255) || null;
    return [
      {
        vendorId: device,
        locationType: 'vending_machine',
        integrationId: `cantaloupe:${device}`,
        machineNumber: text('asset #'),
        name: text('location') ?? device,
        serialNumber: device,
        model: text('model'),
        firmware: text('firmware'),
        address: text('address'),
        city: text('city'),
        state: text('state'),
        zipCode: text('zip'),
        latitude: null,
        longitude: null,
        status: statuses.find((status) => status === cells('status').toLowerCase()) ?? 'active',
        lastSeenAt: seenAt(cells('last seen'), clock),
        removed: false,
        details: {},
        raw: row,
      },
    ];
  });
  return { devices, unreadable };
}
