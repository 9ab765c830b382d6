import type { SandboxReply, SandboxRequest, Vendor, World } from '../vendor.ts';
import { clientId, clientSecret, connectPage, decide, json, store, tokenCall } from './connect.ts';
import { push, registerHook } from './pushes.ts';
import {
  fullStockOf,
  inventory,
  outlets,
  products,
  touchedOf,
  type Versioned,
  versionAt,
  versionMs,
} from './records.ts';
import { sales } from './sales.ts';
import { isValid, revokeAll } from './tokens.ts';

/** The store of X-Series as its published API 2.0 describes it: `/lightspeed/{store}/api/2.0/...`. */
export const lightspeed: Vendor = {
  prefix: 'lightspeed',
  credentials: { clientId, clientSecret },
  calls: [
    'GET *api/2.0/sales',
    'GET *api/2.0/products',
    'GET *api/2.0/inventory',
    'GET *api/2.0/outlets',
    'POST *token',
  ],
  pushes: ['sale.update', 'product.update', 'inventory.update', 'revoke', 'touch'],
  plays: ['short_page'],
  refuse: (status, sentence) => json(status, { error: sentence, message: sentence }),
  answer: (request, world) => {
    if (request.path === '/connect') return connectPage(request);
    if (request.path.startsWith('/connect/')) return decide(request, world);
    const path = request.path.replace(`/${store}`, '');
    if (path === request.path) return json(404, { error: 'There is no such store' });
    if (path === '/api/1.0/token' && request.method === 'POST') return tokenCall(request, world);
    if (!isValid(world, request.headers.authorization ?? '')) return json(401, { error: 'Access token is not valid' });
    return limited(request, world, () => answerStore({ ...request, path }, world));
  },
  push: async (world, wish) => {
    if (wish?.kind === 'revoke') return revokeAll(world);
    if (wish?.kind === 'touch') return touch(world);
    return push(world, wish);
  },
};

/** A product changes, so that it comes again behind everything that was read. */
function touch(world: World): void {
  const [line] = world.fleet.markets[0]?.lines ?? [];
  if (line) touchedOf(world).set(line.product.id, versionAt(world.now().getTime(), 9));
}

const windowMs = 5 * 60_000;

/** 300 calls for each register and 50 more in five minutes; what is over that is told when to come back, as a date. */
function limited(request: SandboxRequest, world: World, work: () => SandboxReply): SandboxReply {
  const limit = 300 * world.fleet.markets.length + 50;
  const nowMs = world.now().getTime();
  const startMs = Math.floor(nowMs / windowMs) * windowMs;
  const known = world.state.get('window') as { startMs: number; used: number } | undefined;
  const used = (known?.startMs === startMs ? known.used : 0) + 1;
  world.state.set('window', { startMs, used });
  const headers = { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(Math.max(0, limit - used)) };
  if (used > limit) {
    const back = { 'retry-after': new Date(startMs + windowMs).toUTCString() };
    return json(429, { error: 'Too many requests', message: request.path }, { ...headers, ...back });
  }
  const reply = work();
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

function answerStore(request: SandboxRequest, world: World): SandboxReply {
  const { method, path } = request;
  if (method === 'POST' && path === '/api/webhook') return registerHook(request, world);
  if (method !== 'GET') return json(405, { error: 'Method not allowed' });
  const [, resource = '', id = '', more = ''] =
    /^\/api\/2\.0\/([a-z_]+)(?:\/([^/]+))?(?:\/([a-z]+))?$/.exec(path) ?? [];
  if (resource === 'products' && more === 'inventory') return json(200, { data: fullStockOf(world, id) });
  if (!Object.hasOwn(lists, resource)) return json(404, { error: 'Not found' });
  if (id === '') return page(request, world, resource);
  const found = lists[resource]?.(world, 0).find(({ record }) => record.id === id);
  return found ? json(200, { data: found.record }) : json(404, { error: 'Not found' });
}

/** Versions follow from time: a list of sales that begins behind one need not be made from its beginning. */
const lists: Record<string, (world: World, after: number) => Versioned[]> = {
  outlets,
  products,
  inventory,
  sales: (world, after) => sales(world, versionMs(after)),
  customers: () => [],
};

/** Lists of these say nothing of versions beside the records. */
const bare = ['inventory', 'customers'];

function page({ query, path }: SandboxRequest, world: World, resource: string): SandboxReply {
  const after = Number(query.get('after') ?? 0);
  const before = query.get('before');
  const size = Math.min(1_000, Math.max(1, Number(query.get('page_size') ?? 50)));
  const all = (lists[resource]?.(world, after) ?? [])
    .filter(({ version, deleted }) => version > after && (!deleted || query.get('deleted') === 'true'))
    .sort((a, b) => a.version - b.version);
  const wanted = before === null ? all : all.filter(({ version }) => version < Number(before)).reverse();
  const isShort = world.fault(`GET ${path}`)?.kind === 'short_page';
  const shown = wanted.slice(0, isShort ? Math.ceil(size / 2) : size);
  const data = shown.map(({ record }) => record);
  if (bare.includes(resource)) return json(200, { data });
  const versions = shown.map(({ version }) => version);
  const version = versions.length
    ? { min: Math.min(...versions), max: Math.max(...versions) }
    : { min: null, max: null };
  return json(200, { data, version });
}
