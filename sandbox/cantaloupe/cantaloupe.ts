import { lastCallOf } from '../fleet.ts';
import type { SandboxReply, SandboxRequest, Vendor, World } from '../vendor.ts';
import { reportNames } from './reports.ts';
import { deviceOf, placesOf, tradesOf, transactionRow } from './rows.ts';
import { postDue, postWish, sendTest, type Transport } from './transport.ts';

/** The sign-in that the stand-in knows without a transport of its own. */
export const credentials = { user: 'sandbox', password: 'sandbox-secret' };

/**
 * Cantaloupe's stand-in: the Report Register's transport, and a small pull API that is our own and not published by the
 * vendor. Whatever it posts is synthetic.
 */
export const cantaloupe: Vendor = {
  prefix: 'cantaloupe',
  credentials: { apiKey: credentials.user, apiSecret: credentials.password, environment: 'sandbox' },
  calls: ['GET /v1/devices', 'GET /v1/transactions'],
  pushes: ['test', ...reportNames, 'dex'],
  plays: ['short_page'],
  answer: (request, world) => {
    if (request.path === '/transports' && request.method === 'POST') return register(request, world);
    if (request.path === '/transports' && request.method === 'DELETE') {
      world.state.delete('transports');
      return { status: 204 };
    }
    if (request.path === '/v1/devices') return signedIn(request, world) ?? devices(request, world);
    if (request.path === '/v1/transactions') return signedIn(request, world) ?? transactions(request, world);
    return json(404, { message: 'Missing Authentication Token' });
  },
  push: async (world, wish) => {
    for (const transport of transportsOf(world)) {
      if (wish) await postWish(transport, wish, world);
      else await postDue(transport, world);
    }
  },
};

function transportsOf(world: World): Transport[] {
  const known = world.state.get('transports');
  if (known) return known as Transport[];
  const fresh: Transport[] = [];
  world.state.set('transports', fresh);
  return fresh;
}

/** What the Report Register's page does: keep the transport, and send its test. */
async function register(request: SandboxRequest, world: World): Promise<SandboxReply> {
  const told = objectOf(request.body);
  const url = typeof told.url === 'string' ? told.url : '';
  if (!/^https?:\/\//.test(url)) return json(422, { message: 'url is required' });
  const text = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
  const wished = Array.isArray(told.reports) ? told.reports : ['transactions'];
  const transport: Transport = {
    url,
    user: text(told.user, credentials.user),
    password: text(told.password, credentials.password),
    pack: told.pack === 'zip' || told.pack === 'gzip' ? told.pack : 'plain',
    signed: told.signed === true,
    reports: reportNames.filter((name) => wished.includes(name)),
    dex: told.dex !== false,
    postedUntil: world.now(),
    waiting: [],
  };
  const all = transportsOf(world);
  all.splice(0, all.length, ...all.filter((one) => one.url !== url), transport);
  const { status } = await sendTest(transport, world);
  return json(201, { url, testStatus: status });
}

function objectOf(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function signedIn(request: SandboxRequest, world: World): SandboxReply | null {
  const known = [credentials, ...transportsOf(world)];
  const sent = request.headers.authorization ?? '';
  const isKnown = known.some(
    ({ user, password }) => sent === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  );
  return isKnown ? null : json(401, { message: 'Unauthorized' });
}

const json = (status: number, body: unknown): SandboxReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

function devices(request: SandboxRequest, world: World): SandboxReply {
  const rows = placesOf(world.fleet).map((place) => ({
    Device: deviceOf(place),
    Location: place.site.name,
    Address: place.site.address,
    City: place.site.city,
    State: place.site.state,
    'Asset #': place.number,
    Model: place.site.model?.name ?? '',
    Firmware: `6.0.${place.site.id % 9}`,
    'Last Seen': lastCallOf(place, world.now()).toISOString(),
    Status: place.site.status,
  }));
  return paged(rows, request, world);
}

const dayMs = 86_400_000;
/** Without a beginning, this much is told. */
const mostDays = 30;

function transactions(request: SandboxRequest, world: World): SandboxReply {
  const instant = (name: string, otherwise: number): Date | null => {
    const text = request.query.get(name);
    const at = text === null ? otherwise : Date.parse(text);
    return Number.isNaN(at) ? null : new Date(at);
  };
  const now = world.now().getTime();
  const to = instant('to', now);
  const from = instant('from', now - mostDays * dayMs);
  if (!from || !to) return json(400, { message: 'from and to are instants' });
  const end = new Date(Math.min(to.getTime(), now));
  const begin = new Date(Math.max(from.getTime(), end.getTime() - mostDays * dayMs));
  const rows = tradesOf(world.fleet, begin, end).map((trade) => transactionRow(trade, world.fleet.timeZone));
  return paged(rows, request, world);
}

function paged(rows: readonly unknown[], { path, query }: SandboxRequest, world: World): SandboxReply {
  const page = Number(query.get('page') ?? '1');
  const pageSize = Math.min(500, Number(query.get('pageSize') ?? '100'));
  if (!Number.isInteger(page) || page < 1 || !(pageSize >= 1))
    return json(400, { message: 'page and pageSize are numbers' });
  const due = [...carried(world, path), ...rows.slice((page - 1) * pageSize, page * pageSize)];
  const isLast = page * pageSize >= rows.length;
  const isShort = world.fault(`GET ${path}`)?.kind === 'short_page' && !isLast;
  // Short, but not the last: what is missing comes with the next page.
  const data = isShort ? due.slice(0, Math.ceil(due.length / 2)) : due;
  world.state.set(`carried ${path}`, due.slice(data.length));
  return json(200, { data, page, pageSize, nextPage: isLast ? null : page + 1 });
}

function carried(world: World, path: string): unknown[] {
  const waiting = world.state.get(`carried ${path}`);
  return Array.isArray(waiting) ? waiting : [];
}
