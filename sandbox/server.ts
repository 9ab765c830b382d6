import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProfileName } from '../simulator/operator/profiles.ts';
import { answerControl } from './control.ts';
import { sellNow } from './fleet.ts';
import { isGeneric, type Played, playInstead, playOn } from './generic-faults.ts';
import { firstPage } from './page.ts';
import type { Fault, PushWish, SandboxReply, SandboxRequest, Vendor } from './vendor.ts';
import { vendors as allVendors } from './vendors.ts';
import { createSphere, type Sphere } from './world.ts';

/**
 * The five vendor systems' stand-ins in one process, each under its own prefix. Demos and tests only: it takes no
 * secret seriously, and its control surface answers this machine alone.
 */
export type Sandbox = {
  /** Where it is reached, without a slash at the end. */
  origin: string;
  sphere: Sphere;
  /** Lets the stand-ins send what has become due, or what is wished. */
  push: (system: string | null, wish: PushWish | null) => Promise<void>;
  close: () => Promise<void>;
};

export type SandboxOptions = {
  /** 0: any free port. */
  port?: number;
  profile?: ProfileName;
  seed?: number;
  vendors?: readonly Vendor[];
  real?: () => Date;
  from?: Date | null;
  /** How often due deliveries are sent by themselves; null: only when asked. */
  tickMs?: number | null;
  /** Sales made by themselves beside those that follow from the seed, so that a person who looks sees some. */
  livePerMinute?: number;
};

const longestBody = 10_000_000;

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { vendors = allVendors, profile = 'S', seed = 1, real = () => new Date(), from = null } = options;
  const sphere = createSphere({ vendors, profile, seed, real, from });
  const push = pusher(sphere);
  const server = createServer((request, response) => {
    respond(sphere, push, request, response).catch((error: unknown) => {
      if (response.headersSent) return void response.destroy();
      send(response, { status: 500, body: `The sandbox failed: ${error instanceof Error ? error.stack : error}` });
    });
  });
  await listen(server, options.port ?? 0);
  sphere.origin = `http://127.0.0.1:${portOf(server)}`;
  const { tickMs = 2_000, livePerMinute = 0 } = options;
  const timers = [
    ...(tickMs === null ? [] : [setInterval(() => void push(null, null), tickMs)]),
    ...(livePerMinute === 0 ? [] : [setInterval(() => sellSomething(sphere), 60_000 / livePerMinute)]),
  ];
  for (const timer of timers) timer.unref();
  return {
    origin: sphere.origin,
    sphere,
    push,
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Half of it at the markets, which are few. Before anybody has asked for the fleet there is nobody who would see it. */
function sellSomething({ fleet, isPlanned, clock }: Sphere): void {
  if (!isPlanned()) return;
  const { machines, markets } = fleet();
  const isMarket = fleet().extra.length % 2 === 0;
  sellNow(fleet(), isMarket ? markets : machines, 1, clock.now());
}

type Push = Sandbox['push'];

/** One round at a time: a slow subscriber does not let rounds pile up. What fails is in the journal. */
function pusher(sphere: Sphere): Push {
  let last: Promise<void> = Promise.resolve();
  let isTicking = false;
  const round = async (system: string | null, wish: PushWish | null): Promise<void> => {
    for (const vendor of sphere.options.vendors) {
      if (system === null || vendor.prefix === system) await vendor.push?.(sphere.worldOf(vendor), wish);
    }
  };
  return async (system, wish) => {
    const isTick = wish === null && system === null;
    if (isTick && isTicking) return;
    isTicking ||= isTick;
    const mine = last.then(() => round(system, wish));
    last = mine.catch(() => {});
    try {
      await mine;
    } catch (error) {
      if (!isTick) throw error;
    } finally {
      if (isTick) isTicking = false;
    }
  };
}

async function respond(sphere: Sphere, push: Push, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://sandbox');
  const [, prefix = ''] = url.pathname.split('/');
  const asked: SandboxRequest = {
    method: request.method ?? 'GET',
    path: url.pathname.slice(prefix.length + 1) || '/',
    query: url.searchParams,
    headers: headersOf(request),
    body: await readBody(request),
  };
  if (prefix === 'control') {
    const from = request.socket.remoteAddress ?? '';
    return send(response, await answerControl(asked, { sphere, push, from }));
  }
  const vendor = sphere.options.vendors.find((one) => one.prefix === prefix);
  if (!vendor) return send(response, prefix === '' ? firstPage(sphere) : notFound);
  await answerAs(sphere, vendor, asked, response);
}

const notFound: SandboxReply = {
  status: 404,
  headers: { 'content-type': 'text/plain' },
  body: 'No vendor has this prefix. The first page of the sandbox lists them.\n',
};

async function answerAs(sphere: Sphere, vendor: Vendor, asked: SandboxRequest, response: ServerResponse) {
  const call = `${asked.method} ${asked.path}`;
  const takes = (kind: string) => isGeneric(kind) && !(vendor.plays ?? []).includes(kind);
  const fault = sphere.faults.take(vendor.prefix, call, takes);
  const entry = sphere.journal.add({
    at: sphere.clock.now().toISOString(),
    realMs: sphere.options.real().getTime(),
    system: vendor.prefix,
    direction: 'in',
    method: asked.method,
    path: asked.path,
    query: asked.query.toString(),
    headers: asked.headers,
    body: asked.body.toString(),
    status: 0,
    fault: fault?.kind ?? null,
  });
  const played = await play(sphere, vendor, asked, fault);
  if ('hangMs' in played) return hang(response, played.hangMs);
  entry.status = played.reply.status;
  if (played.connection === 'cut') return cut(response, played.reply);
  send(response, played.reply);
}

async function play(sphere: Sphere, vendor: Vendor, asked: SandboxRequest, fault: Fault | null): Promise<Played> {
  const instead = fault && playInstead(fault, vendor, sphere.clock.now());
  if (instead) return instead;
  const reply = await vendor.answer(asked, sphere.worldOf(vendor));
  const key = `${vendor.prefix} ${asked.method} ${asked.path}`;
  const before = sphere.lastReplies.get(key) ?? null;
  if (asked.method === 'GET') sphere.lastReplies.set(key, reply);
  return fault ? playOn(fault, reply, before) : { reply, connection: 'whole' };
}

function send(response: ServerResponse, { status, headers = {}, body = '' }: SandboxReply): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'content-length': bytes.length }).end(bytes);
}

/** Says how long the answer is, sends half of it, and hangs up. */
function cut(response: ServerResponse, { status, headers = {}, body = '' }: SandboxReply): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'content-length': bytes.length + 1 });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

function hang(response: ServerResponse, ms: number): void {
  const timer = setTimeout(() => response.destroy(), ms).unref();
  response.on('close', () => clearTimeout(timer));
}

function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > longestBody) throw new Error('The request is longer than 10 MB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
