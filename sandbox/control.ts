import { type Place, sellNow } from './fleet.ts';
import type { PushWish, SandboxReply, SandboxRequest } from './vendor.ts';
import type { Sphere } from './world.ts';

/**
 * The control surface: clock, fault board, pushes, journal and reset under /control. It answers only callers on this
 * machine, and no page of another site.
 */
type Surface = {
  sphere: Sphere;
  push: (system: string | null, wish: PushWish | null) => Promise<void>;
  /** Address of the caller. */
  from: string;
};

type Fields = Record<string, unknown>;
type Handler = (fields: Fields, surface: Surface, query: URLSearchParams) => unknown;

/** Thrown for a wish that cannot be understood. */
class Refusal extends Error {}

const handlers: Record<string, Handler> = {
  'GET /': (_fields, { sphere }) => stateOf(sphere),
  'PUT /clock': (fields, { sphere }) => {
    if (fields.now === null) sphere.clock.follow();
    if (typeof fields.now === 'string') sphere.clock.set(instant(fields.now), fields.frozen === true);
    if (typeof fields.advanceMs === 'number') sphere.clock.advance(fields.advanceMs);
    return stateOf(sphere);
  },
  'POST /faults': (fields, { sphere }) => {
    const { times = 1, parameters = {} } = fields;
    sphere.faults.queue({
      system: systemIn(fields, sphere),
      call: text(fields, 'call', '*'),
      kind: text(fields, 'kind'),
      times: typeof times === 'number' ? times : 1,
      parameters: isFields(parameters) ? parameters : {},
    });
    return { waiting: sphere.faults.list() };
  },
  'GET /faults': (_fields, { sphere }) => ({ waiting: sphere.faults.list() }),
  'DELETE /faults': (_fields, { sphere }) => {
    sphere.faults.clear();
    return { waiting: [] };
  },
  'POST /push': async (fields, { sphere, push }) => {
    const { parameters = {} } = fields;
    await push(systemIn(fields, sphere), {
      kind: text(fields, 'kind'),
      variant: text(fields, 'variant', 'normal'),
      parameters: isFields(parameters) ? parameters : {},
    });
    return {};
  },
  'POST /tick': async (_fields, { push }) => {
    await push(null, null);
    return {};
  },
  'POST /sales': (fields, { sphere }) => {
    const count = typeof fields.count === 'number' ? Math.min(1_000, Math.max(1, Math.floor(fields.count))) : 1;
    const fleet = sphere.fleet();
    const sold = sellNow(fleet, placesOf(sphere, fields), count, sphere.clock.now());
    return { sold: sold.map(({ number, place, amount }) => ({ number, place: place.number, amount })) };
  },
  'GET /journal': (_fields, { sphere }, query) => {
    const system = query.get('system');
    const since = Number(query.get('since') ?? 0);
    return { entries: sphere.journal.list({ ...(system ? { system } : {}), since }).slice(-500) };
  },
  'DELETE /journal': (_fields, { sphere }) => {
    sphere.journal.clear();
    return {};
  },
  'POST /reset': (_fields, { sphere }) => {
    sphere.reset();
    return stateOf(sphere);
  },
};

export async function answerControl(request: SandboxRequest, surface: Surface): Promise<SandboxReply> {
  if (!isFromHere(request, surface)) return json(403, { error: 'The control surface answers this machine only.' });
  const handler = handlers[`${request.method} ${request.path}`];
  if (!handler) return json(404, { error: `There is no ${request.method} /control${request.path}.` });
  try {
    return json(200, await handler(fieldsOf(request), surface, request.query));
  } catch (error) {
    if (error instanceof Refusal) return json(400, { error: error.message });
    throw error;
  }
}

/** A name in the address could be anybody's that leads here; an origin is that of the page that asks. */
function isFromHere({ headers }: SandboxRequest, { from, sphere }: Surface): boolean {
  const host = headers.host ?? '';
  const isNear = /^(?:::ffff:)?127\.|^::1$/.test(from) && /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host);
  return isNear && [undefined, sphere.origin, `http://${host}`].includes(headers.origin);
}

function stateOf(sphere: Sphere) {
  return {
    now: sphere.clock.now().toISOString(),
    frozen: sphere.clock.isFrozen(),
    seed: sphere.options.seed,
    profile: sphere.options.profile,
    vendors: sphere.options.vendors.map(({ prefix, credentials = {}, calls = [], pushes = [] }) => ({
      prefix,
      credentials,
      calls,
      pushes,
    })),
    waiting: sphere.faults.list(),
  };
}

/** `type`: market, vending_machine, or nothing for both. */
function placesOf(sphere: Sphere, { type, number }: Fields): readonly Place[] {
  const { machines, markets } = sphere.fleet();
  const all = [...(type === 'vending_machine' ? [] : markets), ...(type === 'market' ? [] : machines)];
  return typeof number === 'string' ? all.filter((place) => place.number === number) : all;
}

function systemIn(fields: Fields, sphere: Sphere): string {
  const system = text(fields, 'system');
  const known = sphere.options.vendors.map(({ prefix }) => prefix);
  if (!known.includes(system)) throw new Refusal(`system must be one of ${known.join(', ')}.`);
  return system;
}

function text(fields: Fields, name: string, otherwise?: string): string {
  const value = fields[name] ?? otherwise;
  if (typeof value !== 'string' || value === '') throw new Refusal(`${name} is missing.`);
  return value;
}

function instant(value: string): Date {
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) throw new Refusal('now must be an instant such as 2026-03-12T15:00:00Z.');
  return at;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fieldsOf({ body }: SandboxRequest): Fields {
  if (body.length === 0) return {};
  try {
    const parsed: unknown = JSON.parse(body.toString());
    if (isFields(parsed)) return parsed;
  } catch {
    // Said below.
  }
  throw new Refusal('The body must be a JSON object.');
}

function json(status: number, value: unknown): SandboxReply {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(value),
  };
}
